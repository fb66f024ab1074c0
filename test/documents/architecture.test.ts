import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf, read, root } from '../house/source.ts'

const page = read('docs/architecture.md')

/** `src/lake/store/base.ts` → `lake`, `src/main.ts` → `main`. */
const folderOf = (path: string) => /^src\/(\w+)/.exec(path)?.[1] ?? ''

describe('docs/architecture.md', () => {
  test('draws an arrow for each import between folders of src, and no other', () => {
    const drawn = [...page.matchAll(/^ {2}(\w+) --> (\w+)$/gm)].map(([, from, to]) => `${from} --> ${to}`)
    const imports = filesBelow('src', '.ts')
      .flatMap(importsOf)
      .filter(({ own, from, to }) => own && folderOf(from) !== folderOf(to))
      .map(({ from, to }) => `${folderOf(from)} --> ${folderOf(to)}`)
    expect(drawn.toSorted()).toEqual([...new Set(imports)].toSorted())
  })

  test.each(['src', 'sql'])('describes each folder of %s', folder => {
    const named = [...page.matchAll(/^\| `([\w/]+)` \|/gm)]
      .map(([, name = '']) => (existsSync(join(root, name)) ? name : `src/${name}`))
      .filter(name => name.startsWith(`${folder}/`))
    const folders = readdirSync(join(root, folder))
      .map(name => `${folder}/${name}`)
      .filter(name => statSync(join(root, name)).isDirectory())
    expect(named.toSorted()).toEqual(folders.toSorted())
  })
})

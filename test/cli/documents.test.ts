import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SETTINGS, variableOf } from '../../src/cli/command/settings.ts'
import { documents, GENERATED_FOLDERS } from '../../src/cli/documents/documents.ts'
import { read, root } from '../house/source.ts'

describe('the documents', () => {
  test('that are generated from the code are up to date: npm run docs', async () => {
    const generated = await documents()
    for (const [path, content] of generated) expect(read(path), path).toBe(content)
    const present = GENERATED_FOLDERS.flatMap(folder =>
      readdirSync(join(root, folder)).map(name => `${folder}/${name}`),
    )
    expect(present.filter(path => !generated.has(path))).toEqual([])
  })

  test('are all linked from the README, whose links all work', () => {
    const links = read('README.md').matchAll(/\]\((docs\/[\w-]+(?:\.md|\/README\.md))\)/g)
    const named = new Set([...links].map(([, path]) => path))
    expect([...named].toSorted()).toEqual(
      readdirSync(`${root}docs`)
        .map(name => (name.endsWith('.md') ? `docs/${name}` : `docs/${name}/README.md`))
        .toSorted(),
    )
  })

  test('list every setting', () => {
    const page = read('docs/settings.md')
    for (const name of Object.keys(SETTINGS)) expect(page).toContain(`\`${variableOf(name)}\``)
  })
})

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { documents, GENERATED_FOLDERS } from '../../src/cli/documents/documents.ts'
import { read, root } from '../house/source.ts'

test('the documents that are generated from the code are up to date: npm run docs', async () => {
  const generated = await documents()
  for (const [path, content] of generated) expect(read(path), path).toBe(content)
  const present = GENERATED_FOLDERS.flatMap(folder =>
    readdirSync(join(root, folder)).map(name => `${folder}/${name}`),
  )
  expect(present.filter(path => !generated.has(path))).toEqual([])
})

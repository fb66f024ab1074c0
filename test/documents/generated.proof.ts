import { expect, test } from 'vitest'
import { documents, filesIn, GENERATED_FOLDERS } from '../../src/cli/documents/documents.ts'
import { read } from '../house/source.ts'

test('the documents that are generated from the code are up to date: npm run docs', async () => {
  const generated = await documents()
  for (const [path, content] of generated) expect(read(path), path).toBe(content)
  const present = GENERATED_FOLDERS.flatMap(filesIn)
  expect(present.filter(path => !generated.has(path))).toEqual([])
})

import { onTestFinished } from 'vitest'
import { replaceResources } from '../../../src/engine/resources.ts'
import { texts } from '../../fixtures/resources.ts'
import { importingFormat } from './formats.ts'

const FOLDER = 'sql/import'

/**
 * Imports by a format that a test makes up: its head without the line of its name, and its SQL. The mapping `posts` is one
 * row of that dataset for each row of `rows`, whose SELECT has `file`, `line`, `id`, `post`, `fault`, `left_out`
 * and those of `more`.
 */
export function importingBy(head: readonly string[], sql: string) {
  const text = ['-- own: a format that a test makes up', ...head.map(line => `-- ${line}`), sql].join('\n')
  const replaced = replaceResources({
    ...texts,
    read: path => (path === `${FOLDER}/own.sql` ? text : texts.read(path)),
    list: folder => (folder === FOLDER ? [...texts.list(folder), 'own.sql'].sort() : texts.list(folder)),
  })
  onTestFinished(() => {
    replaceResources(replaced)
  })
  return importingFormat('own')
}

/** A mapping into posts, with more columns than those of the dataset. */
export const posts = (rows: string, ...more: readonly string[]) => `-- dataset: posts
SELECT
  file,
  line,
  id,
  DATE '2024-01-02' AS date,
  TIMESTAMP '2024-01-02' AS timestamp,
  coalesce(post, '') AS post,
  fault::VARCHAR[] AS fault,
  ${['left_out::VARCHAR[][] AS left_out', ...more].join(',\n  ')}
FROM (${rows})`

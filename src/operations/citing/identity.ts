import { createHash } from 'node:crypto'
import { macrosUsed } from '../../engine/macros.ts'
import { resources } from '../../engine/resources.ts'
import type { Pinned } from '../answering/answer.ts'
import type { Operation } from '../answering/operation.ts'

const FOLDER = 'sql/endpoints'
const hashOf = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)

/** The SQL files of an operation: `<id>.sql`, and further ones whose names begin with the id. */
export const templateNames = ({ id }: Operation): string[] =>
  resources
    .list(FOLDER)
    .filter(name => name === `${id}.sql` || name.startsWith(`${id}-`))
    .map(name => `${FOLDER}/${name}`)

/** The hash of an operation's SQL and of the macros that it uses: the first 16 hex digits of a sha256. */
export function templatesHash(operation: Operation): string {
  const texts = templateNames(operation).map(name => resources.read(name))
  return hashOf([...macrosUsed(texts.join('\n')).map(({ sql }) => sql), ...texts])
}

/** The hash of the contents of the files that a request reads, by dataset: the first 16 hex digits of a sha256. */
export const filesHash = ({ files }: Pinned): string =>
  hashOf([...files].flatMap(([dataset, list]) => [dataset, ...list.map(({ sha256 }) => sha256)]))

import { readdirSync } from 'node:fs'
import type { Lake, Value } from './lake.ts'
import type { Request } from './request.ts'

/**
 * Values of parameters that occur in the data together: by the name of the parameter, or by the stem of `min_` and
 * `max_`.
 */
export type Sample = Readonly<Record<string, Value | undefined>>

/** How an operation is answered from the rows of a lake. One file in `operations` each, named by the operation. */
export interface Reader {
  /** The JSON body of the answer, parsed, or `refused`. */
  readonly answer: (lake: Lake, request: Request) => unknown
  /** What requests filter by, where it is not simply a column. */
  readonly samples?: (lake: Lake) => readonly Sample[]
}

const FOLDER = new URL('operations/', import.meta.url)

/** The readers by operation. */
export async function loadReaders(): Promise<ReadonlyMap<string, Reader>> {
  const readers = new Map<string, Reader>()
  for (const file of readdirSync(FOLDER)
    .filter(name => name.endsWith('.ts'))
    .sort())
    readers.set(file.replace('.ts', ''), (await import(new URL(file, FOLDER).href)) as Reader)
  return readers
}

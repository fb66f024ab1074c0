import { type Bindings, type Bound, integers } from '../../engine/bind.ts'
import type { Engine, Query } from '../../engine/engine.ts'
import type { LakeFile } from '../../lake/store/snapshot.ts'
import { LIST } from './answer.ts'
import type { Shaped } from './operation.ts'

/**
 * Answers of the newest rows that pass filters, out of all days that the lake holds. Only the data tell how far back
 * that is, so the newest days are asked first, and more of them where those hold too few. The answer is that of all
 * days, as rows of a later day come before those of an earlier one.
 */

/** What opening a file costs, in rows. */
const FILE_ROWS = 1_000
/** How much is read at first, in rows; each time that does not suffice, so many times as much. */
const FIRST_ROWS = 20_000
const GROWTH = 8

/**
 * Where the parts of a dataset's files begin, which are ordered by their first date: each part goes to the end and
 * holds all rows of its days. The first part is the newest days, the last is all.
 */
export function newestParts(files: readonly Pick<LakeFile, 'rows' | 'dates'>[]): number[] {
  let reach = ''
  const beginsDay = files.map(({ dates: [first, last] }) => {
    const begins = first > reach
    if (last > reach) reach = last
    return begins
  })
  const starts: number[] = []
  let rows = 0
  let wanted = FIRST_ROWS
  for (let index = files.length - 1; index > 0; index -= 1) {
    rows += (files[index]?.rows ?? 0) + FILE_ROWS
    if (rows < wanted || !beginsDay[index]) continue
    starts.push(index)
    wanted = rows * GROWTH
  }
  return [...starts, 0]
}

/** What `newestFirst` needs to know of the files that a plan reads. */
export const newestBindings = (files: readonly LakeFile[]): Bindings => ({
  newest_parts: integers(newestParts(files)),
})

/**
 * Runs a template over the newest parts of a dataset, until one gives as many rows as the request's limit. The
 * template's rows are the newest of those it reads: fewer than the limit only where no more pass.
 */
export const newestFirst =
  (dataset: string) =>
  async (
    { limit }: { readonly limit: number },
    query: Query,
    engine: Engine,
    signal: AbortSignal,
  ): Promise<Shaped> => {
    const paths = itemsOf(query.bindings[dataset]).map(String)
    let part = query
    let lines: Uint8Array = new Uint8Array()
    for (const start of itemsOf(query.bindings.newest_parts).map(Number)) {
      const files = engine.bindFiles(dataset, paths.slice(start))
      part = { ...query, bindings: { ...query.bindings, [dataset]: files } }
      lines = await engine.encode(part, 'ndjson', signal)
      if (linesIn(lines) >= limit) break
    }
    return { json: () => listOf(lines), rows: () => part }
  }

function itemsOf(bound: Bound | undefined): readonly unknown[] {
  const value = bound?.value
  return typeof value === 'object' && value !== null && 'items' in value ? value.items : []
}

const LINE_FEED = 10
const COMMA = 44

/** How many records stand in NDJSON: one a line, none of which holds a line feed. */
function linesIn(lines: Uint8Array): number {
  let count = 0
  for (const byte of lines) if (byte === LINE_FEED) count += 1
  return count
}

/** The JSON answer of the same records. */
function listOf(lines: Uint8Array): Uint8Array {
  const records = lines.slice(0, -1).map(byte => (byte === LINE_FEED ? COMMA : byte))
  return Buffer.concat([Buffer.from(LIST[0]), records, Buffer.from(LIST[1])])
}

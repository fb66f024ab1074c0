import { date } from '../../engine/bind.ts'
import type { Encoded } from '../../engine/encode/encoded.ts'
import type { Encoding, Engine, Query } from '../../engine/engine.ts'
import type { Template } from '../../engine/template.ts'
import type { LakeFile, Selection, Snapshot } from '../../lake/store/snapshot.ts'

/**
 * Answers of the newest rows that pass filters, out of the whole history of a dataset. How far back they are depends on
 * the data, so the newest days are read first, and more of them only if those have too few rows. The work grows with
 * the answer and not with the history.
 *
 * The template's rows must be the newest of those it reads: rows of a later day come before those of an earlier one,
 * and there are fewer than requested only if no more rows pass. A page is complete if a row follows it.
 */

/** A part of a dataset's files, which are ordered by their first date: from one file to the end. */
interface Part {
  /** Index of the part's first file. */
  readonly first: number
  /** The part has all rows from this day on. Bound as `$from`. */
  readonly from: string
}

/** How a plan reads a dataset: parts that end with the newest day, the smallest first, the last one all of it. */
export interface NewestFirst {
  readonly dataset: string
  /** How many rows suffice. */
  readonly rows: number
  /** A template that takes less time. It returns the same rows, or none if only the operation's own template can tell. */
  readonly usual?: Template
  readonly parts: readonly Part[]
}

/**
 * Reads `selection` of a dataset until the template returns `rows` rows. Where `estimate` is given, the first part has
 * the days from it on, and the second one is all.
 */
export function newestFirst(
  snapshot: Snapshot,
  dataset: string,
  selection: Selection,
  rows: number,
  estimate: string | null = null,
): NewestFirst {
  const files = snapshot.files(dataset, selection)
  return { dataset, rows, parts: estimate === null ? growingParts(files) : partsFrom(files, estimate) }
}

const BEGINNING = '1970-01-01'
const ALL: Part = { first: 0, from: BEGINNING }

/** The days from an estimate on, and all; only all if these are the same days, or if there are none. */
export function partsFrom(files: readonly Pick<LakeFile, 'dates'>[], estimate: string): Part[] {
  const first = files.findIndex(({ dates: [, last] }) => last >= estimate)
  const isAll = files.every(({ dates: [begin] }) => begin >= estimate)
  return first === -1 || isAll ? [ALL] : [{ first, from: estimate }, ALL]
}

/** The cost of opening a file, in rows. */
const FILE_ROWS = 1_000
/** Rows of the first part; each further part has `GROWTH` times as many. */
const FIRST_ROWS = 20_000
const GROWTH = 8

/** Parts by their numbers of rows. Each has all rows of its days. */
export function growingParts(files: readonly Pick<LakeFile, 'rows' | 'dates'>[]): Part[] {
  let reach = ''
  const beginsDay = files.map(({ dates: [first, last] }) => {
    const begins = first > reach
    if (last > reach) reach = last
    return begins
  })
  const parts: Part[] = []
  let rows = 0
  let wanted = FIRST_ROWS
  for (let index = files.length - 1; index > 0; index -= 1) {
    const file = files[index]
    rows += (file?.rows ?? 0) + FILE_ROWS
    if (file === undefined || rows < wanted || !beginsDay[index]) continue
    parts.push({ first: index, from: file.dates[0] })
    wanted = rows * GROWTH
  }
  return [...parts, ALL]
}

/** Whether files are best read at once: a table in memory has no files to open, and has no more rows than a first part. */
const isSmallTable = (files: readonly LakeFile[], isTable: boolean) =>
  isTable && files.reduce((sum, file) => sum + file.rows, 0) <= FIRST_ROWS

/** Encodes the rows of a query over the smallest part of the `files` of its dataset that has enough of them. */
export async function encodeNewest(
  { dataset, rows, parts, usual }: NewestFirst,
  query: Query,
  files: ReadonlyMap<string, readonly LakeFile[]>,
  engine: Engine,
  encoding: Encoding,
  signal: AbortSignal,
): Promise<Encoded> {
  const all = files.get(dataset) ?? []
  const encodePart = async ({ first, from }: Part) => {
    const bindings = {
      ...query.bindings,
      [dataset]: engine.bindFiles(dataset, all.slice(first)),
      from: date(from),
    }
    if (usual !== undefined) {
      const encoded = await engine.encode({ ...query, bindings, template: usual }, encoding, signal)
      if (encoded.rows > 0) return encoded
    }
    return engine.encode({ ...query, bindings }, encoding, signal)
  }
  const suffices = (encoded: Encoded) => (query.page === undefined ? encoded.rows >= rows : encoded.end)
  const before = isSmallTable(all, engine.store.has(engine.bindFiles(dataset, all))) ? [] : parts.slice(0, -1)
  for (const part of before) {
    const encoded = await encodePart(part)
    if (suffices(encoded)) return encoded
  }
  return encodePart(parts.at(-1) ?? ALL)
}

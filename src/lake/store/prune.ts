/** One immutable Parquet file of a snapshot. */
export interface LakeFile {
  /** Absolute. */
  readonly path: string
  /** Relative to the lake. */
  readonly name: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** The least and the greatest date in the file, `YYYY-MM-DD`. */
  readonly dates: readonly [string, string]
  /** Bounds of the dataset's range columns, by code point; a column of unknown bounds is left out. */
  readonly ranges: Readonly<Record<string, readonly [string, string]>>
}

/** Which rows a query is after: what cannot hold any of them need not be opened. */
export interface Selection {
  /** First date, included, `YYYY-MM-DD`. */
  readonly from?: string
  /** Last date, included, `YYYY-MM-DD`. */
  readonly to?: string
  /** Values by range column, e.g. `{ticker: ['AAPL']}`: a file stays if any value may stand in it. */
  readonly keys?: Readonly<Record<string, readonly string[]>>
}

/** The files of one dataset, ordered so that a selection looks only at files whose dates can matter. */
export interface FileIndex {
  readonly lastDate: string | null
  select(selection: Selection): LakeFile[]
}

/** Indexes `files`; a selection returns them by their first date, then in the order given. */
export function indexFiles(files: readonly LakeFile[]): FileIndex {
  const byStart = files.toSorted((one, other) => compareKeys(one.dates[0], other.dates[0]))
  // Greatest last date of all files up to each: ascending, so that the first file that can reach `from` is found by
  // halving even where a year's file stands between those of days.
  const reach: string[] = []
  for (const { dates } of byStart) {
    const before = reach.at(-1)
    reach.push(before !== undefined && before > dates[1] ? before : dates[1])
  }

  return {
    lastDate: reach.at(-1) ?? null,
    select({ from = '', to = '9999-12-31', keys = {} }) {
      const begin = firstIndex(byStart.length, index => (reach[index] ?? '') >= from)
      const end = firstIndex(byStart.length, index => (byStart[index]?.dates[0] ?? '') > to)
      const wanted = Object.entries(keys).map(
        ([column, values]) => [column, values.toSorted(compareKeys)] as const,
      )
      return byStart
        .slice(begin, end)
        .filter(
          file => file.dates[1] >= from && wanted.every(([column, values]) => mayHold(file, column, values)),
        )
    },
  }
}

/** Whether any of `values` (ascending) may stand in `column`: bounds that are not known rule nothing out. */
function mayHold(file: LakeFile, column: string, values: readonly string[]): boolean {
  const range = file.ranges[column]
  if (range === undefined) return true
  const [least, greatest] = range
  // The first that is not below the range decides: those after it are greater still.
  for (const value of values) if (compareKeys(value, least) >= 0) return compareKeys(value, greatest) <= 0
  return false
}

/** The first index of which `fits` says true, where it says false of all before and true of all after. */
function firstIndex(length: number, fits: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (fits(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Orders strings by code point, as DuckDB and Parquet do by UTF-8 bytes; JavaScript's own order is by UTF-16 unit. */
export function compareKeys(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) {
    const left = one.charCodeAt(index)
    const right = other.charCodeAt(index)
    if (left !== right) return rank(left) - rank(right)
  }
  return one.length - other.length
}

/** Surrogates stand for code points above all that a single unit can be. */
const rank = (unit: number) => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

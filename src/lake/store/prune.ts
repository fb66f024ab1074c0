/** One immutable Parquet file of a snapshot. */
export interface LakeFile {
  /** Absolute. */
  readonly path: string
  readonly dataset: string
  /** Relative to the lake. */
  readonly name: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** True if it was written before its dataset had all of its columns, or with narrower types. */
  readonly isOlder?: boolean
  /** The least and the greatest date in the file, `YYYY-MM-DD`. */
  readonly dates: readonly [string, string]
  /** Bounds of the dataset's range columns, by code point. Columns with unknown bounds are missing. */
  readonly ranges: Readonly<Record<string, readonly [string, string]>>
}

/** The rows that a query needs: files that cannot hold any of them are not opened. */
export interface Selection {
  /** First date, inclusive, `YYYY-MM-DD`. */
  readonly from?: string
  /** Last date, inclusive, `YYYY-MM-DD`. */
  readonly to?: string
  /** Values by range column, for example `{ticker: ['AAPL']}`: a file is selected if it may hold any of the values. */
  readonly keys?: Readonly<Record<string, readonly string[]>>
}

/** The files of one dataset, ordered so that a selection looks only at files whose dates may match. */
export interface FileIndex {
  readonly firstDate: string | null
  readonly lastDate: string | null
  select(selection: Selection): LakeFile[]
}

/** Indexes `files`. A selection returns them by first date, then in the order of `files`. */
export function indexFiles(files: readonly LakeFile[]): FileIndex {
  const byStart = files.toSorted((one, other) => compareKeys(one.dates[0], other.dates[0]))
  // The greatest last date of all files up to each one. It ascends, so that the first file that can reach `from` is
  // found by binary search even where a year's file is between those of days.
  const reach: string[] = []
  for (const { dates } of byStart) {
    const before = reach.at(-1)
    reach.push(before !== undefined && before > dates[1] ? before : dates[1])
  }

  return {
    firstDate: byStart[0]?.dates[0] ?? null,
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

/** Whether `column` may hold any of `values` (ascending). Unknown bounds exclude nothing. */
function mayHold(file: LakeFile, column: string, values: readonly string[]): boolean {
  const range = file.ranges[column]
  if (range === undefined) return true
  const [least, greatest] = range
  // The first value that is not below the range decides: later ones are greater.
  for (const value of values) if (compareKeys(value, least) >= 0) return compareKeys(value, greatest) <= 0
  return false
}

/** The first index for which `fits` is true; it must be false for all before it and true for all after it. */
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

/** Orders strings by code point, as DuckDB and Parquet do with UTF-8 bytes. JavaScript orders by UTF-16 code unit. */
export function compareKeys(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) {
    const left = one.charCodeAt(index)
    const right = other.charCodeAt(index)
    if (left !== right) return rank(left) - rank(right)
  }
  return one.length - other.length
}

/** Surrogates encode code points above all those of a single code unit. */
const rank = (unit: number) => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

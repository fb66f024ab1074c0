import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tradingDayBefore } from './calendar.ts'
import { isDecimal, textOf } from './decimal.ts'
import { type Row, readRows } from './parquet.ts'

export type { Row, Value } from './parquet.ts'

/** The rows of a snapshot, without the product's code. docs/lake.md describes the files. */
export interface Lake {
  /** All rows of a dataset, in no particular order; none if the lake lacks it. */
  rows(dataset: string): readonly Row[]
  /** The last trading date of the snapshot. */
  readonly today: string
  /** The default date of an operation that reads these datasets, the first of which must hold it. */
  closedDate(datasets: readonly string[]): string | null
  /** The rows of a dataset with these values: the first request of a dataset and its columns makes an index. */
  find(dataset: string, values: Row): readonly Row[]
}

interface Record {
  readonly closed?: string
  readonly datasets: {
    readonly [dataset: string]: { readonly partitions: { readonly [name: string]: string } }
  }
}

interface Manifest {
  readonly partition: string
  readonly files: readonly { readonly name: string; readonly rows: number }[]
  readonly days?: { readonly [day: string]: readonly [rows: number, checksum: string] }
}

interface Stored {
  readonly rows: readonly Row[]
  /** The number of rows by day, ascending. */
  readonly days: ReadonlyMap<string, number>
}

/**
 * What a derived dataset is computed from on the same day: the datasets whose rows decide whether its day is closed. A day
 * of a stock is a daily bar or is made of minutes, so that its own rows count.
 */
const SOURCES: { readonly [dataset: string]: readonly string[] } = {
  contract_days: ['option_trades', 'option_chain_days', 'stock_days'],
  option_ticker_days: ['option_trades', 'option_chain_days', 'stock_days'],
  option_volatility_days: ['option_chain_days'],
  price_levels: ['stock_trades'],
}

/** Datasets with one day of New York per trading date. */
const TRADING = [
  'daily_bars',
  'stock_bars',
  'stock_trades',
  'option_chain_days',
  'option_trades',
  'contract_days',
]

/** Reads the current snapshot of a lake, or only the rows of some datasets. */
export async function openLake(folder: string, datasets?: readonly string[]): Promise<Lake> {
  const number = (await readFile(join(folder, 'CURRENT'), 'utf8')).trim()
  const record = await readJson<Record>(folder, `snapshots/${number}.json`)
  const stored = new Map<string, Stored>()
  for (const [dataset, { partitions }] of Object.entries(record.datasets))
    stored.set(
      dataset,
      await readDataset(folder, Object.values(partitions), datasets?.includes(dataset) ?? true),
    )
  const daysOf = (dataset: string) => stored.get(dataset)?.days ?? new Map<string, number>()
  const lastDay = (dataset: string) => [...daysOf(dataset).keys()].at(-1)
  const indexes = new Map<string, ReadonlyMap<string, readonly Row[]>>()
  const rows = (dataset: string) => stored.get(dataset)?.rows ?? []
  return {
    rows,
    today: latest(TRADING.map(lastDay)) ?? latest([...stored.keys()].map(lastDay)) ?? '',
    closedDate: datasets => {
      const [first = ''] = datasets
      const days = [...daysOf(first).keys()]
      const sources = [...new Set(datasets.flatMap(dataset => SOURCES[dataset] ?? [dataset]))]
      const isClosed = (day: string) =>
        day <= (record.closed ?? '') || sources.every(source => hasEnough(daysOf(source), day))
      return days.findLast(isClosed) ?? days.at(-1) ?? null
    },
    find: (dataset, values) => {
      const columns = Object.keys(values)
      const name = [dataset, ...columns].join(' ')
      const index = indexes.get(name) ?? indexOf(rows(dataset), columns)
      indexes.set(name, index)
      return index.get(keyOf(values, columns)) ?? []
    },
  }
}

const keyOf = (row: Row, columns: readonly string[]) =>
  JSON.stringify(
    columns.map(column => {
      const value = row[column]
      return isDecimal(value) ? textOf(value) : String(value)
    }),
  )

const latest = (days: readonly (string | undefined)[]): string | undefined =>
  days
    .filter(day => day !== undefined)
    .toSorted()
    .at(-1)

function indexOf(rows: readonly Row[], columns: readonly string[]): ReadonlyMap<string, readonly Row[]> {
  const index = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row, columns)
    const same = index.get(key)
    if (same === undefined) index.set(key, [row])
    else same.push(row)
  }
  return index
}

/** Files that a later snapshot replaced are below `superseded`. */
function placeOf(folder: string, name: string): string {
  const path = join(folder, name)
  return existsSync(path) ? path : join(folder, 'superseded', name)
}

const readJson = async <T>(folder: string, name: string): Promise<T> =>
  JSON.parse(await readFile(placeOf(folder, name), 'utf8')) as T

async function readDataset(folder: string, manifests: readonly string[], withRows: boolean): Promise<Stored> {
  const rows: Row[] = []
  const columns = new Set<string>()
  const days = new Map<string, number>()
  for (const name of manifests) {
    const manifest = await readJson<Manifest>(folder, name)
    for (const [day, [count]] of Object.entries(manifest.days ?? {}))
      if (count > 0 && day !== 'all') days.set(day, (days.get(day) ?? 0) + count)
    for (const file of withRows ? manifest.files : [])
      for (const row of await readRows(placeOf(folder, file.name))) rows.push(row)
    for (const column of Object.keys(rows.at(-1) ?? {})) columns.add(column)
  }
  // Files of earlier versions lack the columns that later ones added.
  for (const row of rows) for (const column of columns) row[column] ??= null
  return { rows, days: new Map([...days].toSorted(([one], [other]) => (one < other ? -1 : 1))) }
}

const CLOSED_PERCENT = 50
const CLOSED_SESSIONS = 20

/** Whether a day has at least half the median rows of the days in the 20 sessions before, where there are any. */
function hasEnough(days: ReadonlyMap<string, number>, day: string): boolean {
  const first = tradingDayBefore(day, CLOSED_SESSIONS)
  const before = [...days].filter(([each]) => each >= first && each < day).map(([, count]) => count)
  if (before.length === 0) return true
  return (days.get(day) ?? 0) * 100 >= CLOSED_PERCENT * median(before)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
}

import { texts } from '../../engine/bind.ts'
import { identifier } from '../../engine/encode/rewrite.ts'
import type { Engine } from '../../engine/engine.ts'
import { type Dataset, dataset } from '../../lake/store/datasets.ts'
import { UNDERLYING_OF_ROOT } from '../../market/option-roots.ts'
import { parseOptionSymbol } from '../../market/osi.ts'
import type { TickerFilter } from '../parameters/market.ts'
import type { Pinned } from './answer.ts'

/** Parameters that name what a request is about, with the tickers or pairs in their values. */
const NAMED: Readonly<Record<string, (value: unknown) => readonly string[]>> = {
  ticker: one,
  pair: one,
  symbols: value => (Array.isArray(value) ? value : []),
  ticker_symbol: kept,
  ticker_symbols: kept,
  /** An option contract, or the id of something else. */
  id: value => {
    const root = typeof value === 'string' ? parseOptionSymbol(value)?.root : undefined
    return root === undefined ? [] : [UNDERLYING_OF_ROOT.get(root) ?? root]
  },
}

function one(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : []
}

function kept(value: unknown): readonly string[] {
  const filter = value as TickerFilter | null
  return filter === null || filter.excluded ? [] : filter.tickers
}

/** The tickers, underlyings of contracts and pairs that a request names; empty if it does not depend on any. */
export const tickersOf = (values: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(NAMED).flatMap(([name, read]) => (values[name] === undefined ? [] : read(values[name])))

/** The columns by which a dataset is looked up, the decisive one first. */
const COLUMNS = ['etf', 'underlying_symbol', 'ticker', 'pair', 'symbol']

/** At most this many files are opened, spread evenly over the history of a dataset. */
const FILES_MAX = 64

/** Whether the dataset `tickers` or `rows` has a row of any of these tickers. */
export async function isAnyKnown(
  tickers: readonly string[],
  rows: Dataset,
  { operation, snapshot }: Pinned,
  engine: Engine,
  signal: AbortSignal,
): Promise<boolean> {
  const roots = [...UNDERLYING_OF_ROOT].flatMap(([root, ticker]) => (tickers.includes(ticker) ? [root] : []))
  for (const { name, ranges } of [dataset('tickers'), rows]) {
    const column = COLUMNS.find(each => ranges.includes(each))
    // Without such a column nothing shows that a ticker is unknown.
    if (column === undefined) return true
    // A symbol is a ticker or a contract, which files cannot be pruned by.
    const isSymbol = column === 'symbol'
    const all = snapshot.files(name, isSymbol ? {} : { keys: { [column]: tickers } })
    const files = spread(all)
    if (files.length === 0) continue
    const value = isSymbol ? `regexp_replace(symbol, '\\d{6}[CP]\\d{8}$', '')` : identifier(column)
    const sql = `SELECT 1 AS known FROM read_parquet($files, hive_partitioning = false) WHERE ${value} IN (SELECT unnest($tickers)) LIMIT 1`
    const template = { name: 'known-tickers', sql, parameters: ['files', 'tickers'] }
    const bindings = { files: engine.bindFiles(name, files), tickers: texts([...tickers, ...roots]) }
    const { numRows } = await engine.table({ operation: operation.id, template, bindings }, signal)
    if (numRows > 0) return true
  }
  return false
}

/** The newest file, and others at equal distances. */
function spread<T>(files: readonly T[]): readonly T[] {
  const step = files.length / FILES_MAX
  return step <= 1 ? files : files.filter((_, index) => Math.floor((files.length - 1 - index) % step) === 0)
}

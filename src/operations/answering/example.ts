import type { Snapshot } from '../../lake/store/snapshot.ts'

/** Requests and values that a lake should have an answer to, found in the lake itself. */

/**
 * A query of one dataset. Each row is a request: its columns are parameters of the operation. `$files` are the files of
 * the dataset's latest date, `$last` is that date.
 */
export interface Search {
  readonly dataset: string
  readonly sql: string
  /** Whether `$files` are all files of the dataset. Default: false. */
  readonly everywhere?: boolean
}

const FILES = 'read_parquet($files, hive_partitioning = false)'

/** The columns of rows that pass a condition; `where` may go on with GROUP BY, ORDER BY and LIMIT. */
export const search = (dataset: string, columns: string, where: string): Search => ({
  dataset,
  sql: `SELECT ${columns} FROM ${FILES} WHERE ${where}`,
})

export const onLast = (day: string) => `${day} = $last`

/** The 5 tickers with the greatest `most`, an aggregate of their rows, as the parameter `ticker`. */
export const ofTicker = (dataset: string, most: string, where = onLast('date'), column = 'ticker'): Search =>
  search(dataset, `${column} AS ticker`, `${where} GROUP BY ${column} ORDER BY ${most} DESC, ticker LIMIT 5`)

/** A value of a column that bounds files: the least one of the newest file; null if there is none. Runs no query. */
export const heldValue = (snapshot: Snapshot | undefined, dataset: string, column: string): string | null =>
  snapshot?.files(dataset).findLast(({ ranges }) => column in ranges)?.ranges[column]?.[0] ?? null

/** The first text that is not the one that was refused, for the example of its message. */
export const otherThan = (refused: string, ...texts: readonly (string | null)[]): string =>
  texts.find((text): text is string => text !== null && text !== refused) ?? ''

/** The institutions with the most positions, as the parameter `name`. */
export const largestInstitutions = search(
  'institution_positions',
  'cik AS name',
  `${onLast('report_date')} GROUP BY cik ORDER BY count(*) DESC, cik LIMIT 5`,
)

/** The contracts with the most trades, as the parameter `id`. */
export const busiestContracts = search(
  'option_trades',
  'option_chain_id AS id',
  `${onLast('date')} AND NOT canceled GROUP BY option_chain_id ORDER BY count(*) DESC, option_chain_id LIMIT 5`,
)

/** The underlyings with the largest option volume, as the parameter `ticker`. */
export const busiestUnderlyings = ofTicker(
  'contract_days',
  'sum(volume)',
  onLast('date'),
  'underlying_symbol',
)

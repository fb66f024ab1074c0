import type { Dataset } from '../store/datasets.ts'

/** The rows to delete: those of the tickers, before the date. Null: of all tickers, of all dates. */
export interface DropSelection {
  readonly dataset: Dataset
  readonly tickers: readonly string[] | null
  /** `YYYY-MM-DD`. Rows of this day stay. */
  readonly before: string | null
}

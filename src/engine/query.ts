import type { Bindings } from './bind.ts'
import type { Page } from './encode/page.ts'
import type { DigitsShown, Envelope } from './encode/sql.ts'
import type { Template } from './template.ts'

/** A template with the values of its parameters. Metrics and log lines carry the name of the operation. */
export interface Query {
  readonly operation: string
  readonly template: Template
  readonly bindings: Bindings
  /** Names of the parameters whose values differ from request to request. Default: none. */
  readonly values?: ReadonlySet<string>
  /** Fractional digits of timestamps, by column. Default: the fewest that lose nothing. */
  readonly digits?: DigitsShown
  /** The part of the rows that `encode` returns. Default: all. */
  readonly page?: Page
  /** Text around the rows, which `encode` writes in JSON. Default: none. */
  readonly envelope?: Envelope
}

/** `json` is the rows as JSON objects joined by commas, without brackets: these are part of the envelope. */
export type Encoding = 'json' | 'ndjson' | 'csv' | 'arrow' | 'parquet'

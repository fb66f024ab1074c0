/** A row as JSON text. */
export interface JsonRow {
  /** Of a row that cannot be read, its start. */
  readonly text: string
  readonly number: number
  /** The reason why it cannot be read. */
  readonly fault: string | undefined
  /** Whether the row is a line, which may be any text, and not a value of a document. */
  readonly isLine: boolean
}

/** Takes the rows of a JSON file into the import's tables. */
export interface RowsTaker {
  take(row: JsonRow): void
  /** Called after each piece of the file. */
  flushIfFull(): Promise<void>
  /** Returns the number of rows, with rejected ones. */
  end(): Promise<number>
}

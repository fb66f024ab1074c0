/** A statement that reads tables in place of files, and how it is best run. */
export interface HowToRun {
  readonly sql: string
  /** Whether the SQL reads tables only. */
  readonly isNative: boolean
  /** Whether the SQL is best planned once (see `openPlanned`): it reads tables only, and not a single large one. */
  readonly isPlannedOnce: boolean
  /** Whether the SQL reads tables only, and no large one. */
  readonly isSmall: boolean
  /** Whether the SQL reads tables of few rows only. */
  readonly isOfFewRows: boolean
}

/**
 * Rows of a table that is not large. A statement that is planned once and reads a single table reads its values from a
 * variable, and so all columns of all rows before it filters them. With many rows this takes longer than planning, which is
 * short for one table. Measured with the screener: the same at 75,000 contracts, twice as long at 200,000. It is about the
 * same number from which on columns are better read late.
 */
const ROWS_SMALL_MAX = 75_000
/** Rows of a table that are compared with a value in less time than it takes to make a hash table of the value. */
const ROWS_FEW_MAX = 20_000

/** How to run SQL that reads tables of so many rows, and nothing else if it `isNative`. */
export function readingOf(sql: string, isNative: boolean, rowsOfTables: readonly number[]): HowToRun {
  const haveAtMost = (most: number) => isNative && rowsOfTables.every(rows => rows <= most)
  const isSmall = haveAtMost(ROWS_SMALL_MAX)
  return {
    sql,
    isNative,
    isPlannedOnce: isSmall || (isNative && rowsOfTables.length > 1),
    isSmall,
    isOfFewRows: haveAtMost(ROWS_FEW_MAX),
  }
}

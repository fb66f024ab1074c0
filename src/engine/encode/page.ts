import { bracketed, identifier } from './rewrite.ts'

/**
 * Pages of an answer. The template returns one row more than a page may have, so that one query returns the page and
 * whether another one follows. A page of rows in order of time ends before rows of one time that do not all fit. If the
 * first ones alone are more than a page, the page has the first of them and the next one begins within them.
 */

/** Which rows of a template are a page. */
export interface Page {
  /** The most rows of the page. */
  readonly rows: number
  /** For rows in descending order of a time: its column, which is never null. Else a page may end after any row. */
  readonly time: string | null
  /** The page begins after the first `passed` rows of this time, in microseconds since 1970-01-01 UTC. */
  readonly after: Position | null
}

/** A place among the rows of one time. */
export interface Position {
  /** Microseconds since 1970-01-01 UTC. */
  readonly time: bigint
  /** The number of rows of this time before the place. */
  readonly passed: number
}

/** The last row of a page that another one follows. */
export interface PageEnd {
  /** Its time in microseconds since 1970-01-01 UTC; 0 if the rows are not in order of a time. */
  readonly time: bigint
  /** Whether the next page begins with a row of the same time. */
  readonly dividesTime: boolean
}

/** Consecutive rows of a result. */
export interface RowRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The rows that the template must return at most: those of the page, those that it passes, and one more. */
export const rowsOfTemplate = ({ rows, after }: Page): number => rows + (after?.passed ?? 0) + 1

/** The columns of `pageSql` after those of the template. */
export const PAGE_COLUMNS = ['page_time', 'page_read', 'page_row', 'page_beyond'] as const

/**
 * SQL of the rows of a page, in no order. After the columns of the template it has `page_time`, the row's time in
 * microseconds or 0, `page_read`, the number of rows that the template returned, `page_row`, the row's number in the
 * page, and `page_beyond`, the time of the first row after the page; null if there is none. Its parameters are
 * `$page_rows`, the rows of the page, and its position, `$page_after` and `$page_passed`.
 */
export const pageSql = (template: string, { time }: Page): string =>
  time === null ? numberedPage(template) : timedPage(template, time)

/** Written without the steps of `timedPage`, which took a tenth of the time of a request. */
const numberedPage = (template: string) => `SELECT
  *,
  CASE WHEN page_read > $page_rows THEN 0 END AS page_beyond
FROM (
  SELECT
    *,
    0 AS page_time,
    count(*) OVER () AS page_read,
    row_number() OVER () AS page_row
  FROM ${bracketed(template)}
)
WHERE page_row <= $page_rows`

const timedPage = (template: string, time: string) => `SELECT * EXCLUDE (page_first)
FROM (
  SELECT
    *,
    max(CASE WHEN page_row = $page_rows + 1 THEN page_time END) OVER () AS page_beyond,
    max(page_time) OVER () AS page_first
  FROM (
    SELECT
      * EXCLUDE (page_row),
      row_number() OVER (ORDER BY page_row) AS page_row
    FROM (
      SELECT
        *,
        row_number() OVER () AS page_row,
        epoch_us(${identifier(time)}) AS page_time,
        count(*) OVER () AS page_read
      FROM ${bracketed(template)}
    )
    WHERE $page_after IS NULL OR page_time < $page_after OR page_row > $page_passed
  )
)
WHERE page_row <= $page_rows
  AND (page_beyond IS NULL OR page_time > page_beyond OR page_first = page_beyond)`

/** SQL of the rows of a page with the columns of the template, in order. */
export const pageRowsSql = (template: string, page: Page): string =>
  `SELECT * EXCLUDE (${PAGE_COLUMNS.join(', ')})
FROM ${bracketed(pageSql(template, page))}
ORDER BY page_row`

/** The columns of an aggregate over rows of `pageSql` that `pageEndOf` reads. */
export const PAGE_END =
  'max(page_beyond)::BIGINT AS beyond, min(page_time)::BIGINT AS last, max(page_read) AS read'

/**
 * The end of a page from the values of `PAGE_END`; null if no page follows. Throws for a template that returns more rows
 * than a page needs: it has no limit.
 */
export function pageEndOf(page: Page, [beyond, last, read]: readonly (bigint | null)[]): PageEnd | null {
  if (Number(read ?? 0) > rowsOfTemplate(page))
    throw new Error(`the template returned ${read} rows where $limit is ${rowsOfTemplate(page)}`)
  return beyond == null || last == null ? null : { time: last, dividesTime: last === beyond }
}

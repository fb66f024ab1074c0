import { integer } from '../../../engine/bind.ts'
import type { Writer } from '../../../engine/writer.ts'
import type { RenamedTicker } from '../../land/import-record.ts'
import { identifier } from '../../store/sorted-files.ts'
import type { ImportFormat, Source } from '../format/format.ts'
import { isTicker } from '../format/tickers.ts'
import { accepted, rawRows } from './tables.ts'

/** The most renamed tickers of an import that are recorded. */
export const RENAMED_MAX = 1000

/** Tickers with a suffix that are stored in another form than that of their file, and their number. */
export interface Renamed {
  readonly number: number
  /** The first in alphabetical order. */
  readonly tickers: readonly RenamedTicker[]
}

/**
 * Adds the renamed tickers of the raw rows that a source shows now. Their text is read again, so that this is only done if
 * accepted rows have a ticker with a suffix.
 */
export async function addRenamed(writer: Writer, format: ImportFormat, source: Source): Promise<void> {
  const stored = format.mappings.flatMap(({ dataset }) =>
    dataset.columns
      .filter(isTicker)
      .map(({ name }) => `EXISTS (FROM ${accepted(dataset)} WHERE contains(${identifier(name)}, '.'))`),
  )
  if (stored.length === 0 || renamedIn(format, source).length === 0) return
  const [row] = await writer.rows(`SELECT ${stored.join(' OR ')} AS may_be_renamed`)
  if (row?.may_be_renamed !== true) return
  for (const select of renamedIn(format, source)) await writer.run(`INSERT INTO import_renamed ${select}`)
}

/** SELECTs of the file and both forms of the renamed tickers in the columns of a source that have tickers. */
function renamedIn({ canonical, sql, isAlone }: ImportFormat, source: Source): string[] {
  const isOwn = (name: string) =>
    canonical === null
      ? new RegExp(`\\bticker_of\\(${name}\\)`).test(sql)
      : canonical.columns.some(column => column.name === name && isTicker(column))
  const form = (x: string) => (canonical === null ? `ticker_of(${x})` : `share_form(${x})`)
  const table = isAlone ? identifier(source.name) : rawRows(source)
  return source.columns
    .filter(({ name }) => isOwn(name))
    .map(({ name }) => {
      const x = identifier(name)
      return `SELECT file, regexp_replace(x, '^inet:', ''), ${form('x')}
        FROM (SELECT DISTINCT file, ${x} AS x FROM ${table} WHERE NOT regexp_full_match(${x}, '[A-Za-z0-9]*'))
        WHERE ${form('x')} <> upper(x) AND regexp_full_match(${form('x')}, '[A-Z0-9]+(\\.[A-Z0-9]+)+')`
    })
}

/** The renamed tickers of an import, after all its files are read. */
export async function renamedTickers(writer: Writer, format: ImportFormat): Promise<Renamed> {
  const selects = format.isAlone ? [] : format.sources.flatMap(source => renamedIn(format, source))
  const all = ['FROM import_renamed', ...selects].join(' UNION ALL ')
  const rows = await writer.rows(
    `SELECT written, ticker, count(*) OVER ()::VARCHAR AS number
     FROM (SELECT DISTINCT written, ticker FROM (${all})) ORDER BY written, ticker LIMIT $most`,
    { most: integer(RENAMED_MAX) },
  )
  return {
    number: Number(rows[0]?.number ?? 0),
    tickers: rows.map(({ written, ticker }) => ({ written: String(written), ticker: String(ticker) })),
  }
}

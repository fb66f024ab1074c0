import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { files } from '../../../src/engine/bind.ts'
import type { Observation } from '../../../src/engine/observation.ts'
import { type ImportOptions, importFiles } from '../../../src/lake/import/import.ts'
import type { ImportReport } from '../../../src/lake/import/report.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { sharedWriter } from '../../fixtures/shared-writer.ts'
import { THREADS } from '../../fixtures/threads.ts'

export const DAYS = 'Date,Open,High,Low,Close,Volume,Name'
export const BARS = 'ticker,date,ms_since_midnight_et,open,high,low,close,volume'

/** A good daily bar of that ticker. */
export const goodDay = (ticker: string, date = '2024-01-02') => `${date},1,2,1,1.5,10,${ticker}`

/** A folder for files to import, and a lake in it that is not there yet. */
export function importing() {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  const observed: Observation[] = []
  const options = {
    format: 'daily-bars',
    lake,
    threads: THREADS,
    observe: (each: Observation) => void observed.push(each),
  }
  return {
    folder,
    lake,
    observed,
    notices: () => observed.flatMap(each => (each.kind === 'notice' ? [each.message] : [])),
    /** Writes a file, by its bytes or its lines, and answers its path. */
    file(name: string, content: Uint8Array | readonly string[]): string {
      const path = join(folder, name)
      writeFileSync(path, content instanceof Uint8Array ? content : `${content.join('\n')}\n`)
      return path
    },
    import: (inputs: readonly string[], more: Partial<ImportOptions> = {}): Promise<ImportReport> =>
      importFiles({ ...options, inputs, ...more }),
    /** The message of the refusal, which is one line. Throws if the import succeeds. */
    async refusal(inputs: readonly string[], more: Partial<ImportOptions> = {}): Promise<string> {
      const outcome: unknown = await importFiles({ ...options, inputs, ...more }).catch(
        (thrown: unknown) => thrown,
      )
      if (!(outcome instanceof Error)) throw new Error(`not refused: ${JSON.stringify(outcome)}`)
      const message = `${Reflect.get(outcome, 'code')}: ${outcome.message}`
      return message.includes('\n') ? `more than one line: ${message}` : message
    },
    rows: (sql: string, dataset = 'daily_bars') => query(lake, dataset, sql),
    rejects: () => rejectsOf(lake),
  }
}

/** Rows of a query on the lake's `bars`, all of a dataset, each with its values joined by blanks, NULL as `-`. */
export async function query(lake: string, dataset: string, sql: string): Promise<string[]> {
  const paths = (await loadSnapshot(lake)).files(dataset).map(({ path }) => path)
  const writer = await sharedWriter()
  const rows = await writer.rows(
    `WITH bars AS (FROM read_parquet($paths, hive_partitioning = false)) SELECT COLUMNS(*)::VARCHAR FROM (${sql})`,
    { paths: files(paths) },
  )
  return rows.map(row =>
    Object.values(row)
      .map(value => value ?? '-')
      .join(' '),
  )
}

/** The records of the lake's only rejects file, header included; nothing if there is none. */
export function rejectsOf(lake: string): string[][] {
  const folder = join(lake, 'rejects')
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.csv')) : []
  if (names.length > 1) throw new Error(`more than one rejects file: ${names.join(', ')}`)
  return names.flatMap(name => parseCsv(readFileSync(join(folder, name), 'utf8')))
}

/** RFC 4180 by the letter, as a check on what we write: no leniency, LF line ends. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\n|$)/y
  let record: string[] = []
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const match = field.exec(text)
    if (match === null) throw new Error(`not CSV at ${JSON.stringify(text.slice(at, at + 40))}`)
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    records.push(record)
    record = []
  }
  return records
}

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readByLine } from '../../../src/lake/import/csv/lines.ts'
import { readWhole } from '../../../src/lake/import/csv/whole.ts'
import { canonicalFormat } from '../../../src/lake/import/format/canonical.ts'
import type { CanonicalKind } from '../../../src/lake/import/format/format.ts'
import { vocabularyOf } from '../../../src/lake/import/format/vocabularies.ts'
import { cancelingBy } from '../../../src/lake/import/input/cancel.ts'
import { hashFiles } from '../../../src/lake/import/input/inputs.ts'
import { readInput } from '../../../src/lake/import/read.ts'
import type { Reading } from '../../../src/lake/import/rows/reading.ts'
import { accepted, createTables } from '../../../src/lake/import/rows/tables.ts'
import { dataset } from '../../../src/lake/store/datasets.ts'
import type { Column } from '../../../src/lake/store/schema.ts'
import { columnList } from '../../../src/lake/store/sorted-files.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { writerForTest } from '../store/days.ts'

/** Which of the ways to read a CSV file; `as imported`: whichever fits. */
export type Way = 'as imported' | 'whole' | 'by line'

/** Reads files into the tables of an import, without a lake. */
export async function readingOf(name: string, threads = 2) {
  const folder = folderForTest()
  const writer = await writerForTest(folder, { threads })
  const unused: string[] = []
  const format = canonicalFormat('csv', name)
  const table = accepted(dataset(name))
  const values = columnList(dataset(name))
  await createTables(writer, format, folder)
  const reading: Omit<Reading, 'format'> = {
    writer,
    layouts: [],
    isLayoutGiven: false,
    options: {},
    isStrict: false,
    canceling: cancelingBy(undefined),
    folder,
    today: '2024-02-01',
    advance: () => {},
    mapped: () => {},
    notice: () => {},
    unused: (_, columns) => void unused.push(...columns),
  }
  return {
    folder,
    writer,
    unused,
    /** Where the accepted rows are. */
    table,
    columns: dataset(name).columns,
    file(file: string, content: Uint8Array | string): string {
      writeFileSync(join(folder, file), content)
      return join(folder, file)
    },
    /** Reads one file into emptied tables. Answers its records, or null where it cannot be read that way. */
    async read(kind: CanonicalKind, path: string, way: Way = 'as imported'): Promise<number | null> {
      await writer.run(`DELETE FROM ${table}`)
      await writer.run('DELETE FROM import_rejects')
      const [hashed] = await hashFiles(
        [{ path, shown: path, origin: path, bytes: 0, isNamed: true }],
        reading.canceling,
        () => {},
      )
      if (hashed === undefined) throw new Error('no file')
      const input = { ...hashed, hash: '', hashes: new Map() }
      const whole = { ...reading, format: canonicalFormat(kind, name) }
      const { sources } = whole.format
      if (way === 'whole') return (await readWhole(whole, 0, input, sources))?.records ?? null
      if (way === 'by line') return (await readByLine(whole, 0, input, sources)).records
      return readInput(whole, 0, input)
    },
    /** What was rejected, as `line|column|reason|value`. */
    async rejects(): Promise<string[]> {
      const rows = await writer.rows(
        `SELECT concat_ws('|', line, coalesce("column", ''), reason, coalesce(value, '')) AS reject
         FROM import_rejects ORDER BY line`,
      )
      return rows.map(({ reject }) => String(reject))
    },
    /** One column of what was accepted, as text, in the order of the rows. */
    async accepted(column: string): Promise<string[]> {
      const rows = await writer.rows(`SELECT "${column}"::VARCHAR AS value FROM ${table} ORDER BY rowid`)
      return rows.map(({ value }) => String(value))
    },
    /** How many rows of `other` and of what was accepted have no equal in the other, duplicates counted. */
    async differences(other: string): Promise<number> {
      const [row] = await writer.rows(
        `WITH one AS (SELECT ${values} FROM ${table}), two AS (SELECT ${values} FROM ${other})
         SELECT (SELECT count(*) FROM (FROM one EXCEPT ALL FROM two))
              + (SELECT count(*) FROM (FROM two EXCEPT ALL FROM one)) AS number`,
      )
      return Number(row?.number)
    },
  }
}

const TEXTS = [
  `plain`,
  `a, b`,
  `say "hi"`,
  ` lead`,
  `trail `,
  `é😀`,
  `it's`,
  `a\\b`,
  `two\nlines`,
  ``,
  `NULL`,
  `null`,
  `1e3`,
  `a;b\tc`,
  `[z]`,
  `"`,
]
const sqlText = (value: string) => `'${value.replaceAll("'", "''")}'`

/** SQL of a value for row `i`: each type from its least to its greatest. */
function valueFor(type: string, seed: number, unique: boolean): string {
  const cases = (values: readonly string[], other: string) =>
    unique
      ? other
      : `CASE (i + ${seed}) % ${values.length + 3} ${values.map((value, index) => `WHEN ${index} THEN ${value}`).join(' ')} ELSE ${other} END`
  if (type.endsWith('[]')) {
    const item = type.slice(0, -2)
    const [one, other] = [valueFor(item, seed, false), valueFor(item, seed + 5, false)]
    return `CASE i % 3 WHEN 0 THEN []::${type} WHEN 1 THEN [(${one})::${item}] ELSE [(${one})::${item}, (${other})::${item}] END`
  }
  const [, precision = 0, scale = 0] = (/^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []).map(Number)
  if (precision > 0) {
    const most = `${'9'.repeat(precision - scale)}.${'9'.repeat(scale)}`
    return cases([most, `-${most}`, '0', `0.${'0'.repeat(scale - 1)}1`].map(sqlText), `(i * 1.5)::VARCHAR`)
  }
  switch (type) {
    case 'VARCHAR':
      return unique ? `'T' || i` : `[${TEXTS.map(sqlText).join(', ')}][1 + (i + ${seed}) % ${TEXTS.length}]`
    case 'INTEGER':
      return cases(['2147483647', '-2147483648'], 'i * 7')
    case 'BIGINT':
      return cases(["'9223372036854775807'", "'-9223372036854775808'"], '(i * 7)::VARCHAR')
    case 'DOUBLE':
      return cases(["'1e-05'", "'1e300'", "'-0.1'", "'123456789.125'"], "'0.25'")
    case 'DATE':
      return cases(
        ["'0001-01-01'", "'9999-12-31'", "'2024-02-29'"],
        `(DATE '2024-01-01' + i::INTEGER)::VARCHAR`,
      )
    case 'TIMESTAMP':
      return cases(
        ["'0001-01-01 00:00:00'", "'9999-12-31 23:59:59.999999'", "'2024-01-02 03:04:05.6'"],
        `(TIMESTAMP '2024-01-01 00:00:00.000001' + to_seconds(i))::VARCHAR`,
      )
    case 'BOOLEAN':
      return `(i + ${seed}) % 2 = 0`
    case 'UUID':
      return `md5((i + ${seed})::VARCHAR)`
  }
  throw new Error(`no values of ${type}`)
}

/** A SELECT of `rows` rows with those columns; columns that may be NULL are so in every fifth row. */
export function sampleSql(columns: readonly Column[], key: readonly string[], rows: number): string {
  const values = columns.map(({ name, type, nullable }, index) => {
    const closed = vocabularyOf({ name, type })?.values.map(sqlText)
    const value = closed
      ? `[${closed}][1 + (i + ${index}) % ${closed.length}]`
      : `(${valueFor(type, index, key.includes(name))})::${type}`
    return `${nullable ? `CASE WHEN (i + ${index}) % 5 > 0 THEN ${value} END` : value} AS "${name}"`
  })
  return `SELECT ${values.join(',\n  ')} FROM range(${rows}) AS r(i)`
}

import type { Writer } from '../../../engine/writer.ts'

/** A defect as `column: reason`, and its number of rows. */
export interface Fault {
  readonly fault: string
  readonly rows: number
}

/** The number of the most common faults that are reported of an import. */
export const FAULTS_SHOWN = 5

/** The defects of rows, the most common first. */
export interface Faults {
  /** Why rows were rejected. */
  readonly faults: readonly Fault[]
  /** Values that were dropped from accepted rows. */
  readonly notes: readonly Fault[]
  /** Suspicious values of accepted rows, which were kept. */
  readonly warnings: readonly Fault[]
}

/** The table with the rows of each kind. */
const TABLES: Readonly<Record<keyof Faults, string>> = {
  faults: 'import_rejects',
  notes: 'import_notes',
  warnings: 'import_warnings',
}

/** The defect of a row of these tables. */
export const FAULT = `concat_ws(': ', "column", reason) AS fault`

const ROWS = Object.entries(TABLES).map(
  ([kind, table]) => `SELECT '${kind}' AS kind, file, ${FAULT} FROM ${table}`,
)

/** All defects of the rows of an import, and of one of its files. One statement reads those of any number of files. */
export async function faultsOf(
  writer: Pick<Writer, 'rows'>,
): Promise<{ readonly all: Faults; of(file: number): Faults }> {
  // Of the whole import, `file` is NULL.
  const rows = await writer.rows(
    `SELECT kind, file, fault, count(*)::VARCHAR AS number
     FROM (${ROWS.join(' UNION ALL ')})
     GROUP BY GROUPING SETS ((kind, fault), (kind, file, fault))
     ORDER BY count(*) DESC, fault`,
  )
  const found = new Map<string, Fault[]>()
  for (const { kind, file, fault, number } of rows) {
    const place = `${kind} ${file}`
    const faults = found.get(place) ?? []
    faults.push({ fault: String(fault), rows: Number(number) })
    found.set(place, faults)
  }
  const of = (file: number | null): Faults => ({
    faults: found.get(`faults ${file}`) ?? [],
    notes: found.get(`notes ${file}`) ?? [],
    warnings: found.get(`warnings ${file}`) ?? [],
  })
  return { all: of(null), of }
}

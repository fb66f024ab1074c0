import { rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { integer, integers, literal, text, texts } from '../../../engine/bind.ts'
import { Failure } from '../../../engine/failure.ts'
import type { Writer } from '../../../engine/writer.ts'
import { makeFolder, renameFile, syncFile, syncFolder } from '../../store/durable.ts'
import { STAGING } from '../../store/layout.ts'
import { type Input, oneLine } from '../input/inputs.ts'
import { FAULT } from './faults.ts'
import { REJECTS } from './place.ts'

const REJECTS_SHOWN = 3

/** The most characters of a value in a rejects file. */
export const VALUE_CHARACTERS = 200

/** A line that is not passed to DuckDB's CSV reader, as a CSV record for `addBroken`. */
export function brokenRecord(line: number, reason: string, value: string): string {
  const shown = value.replaceAll('\0', '\ufffd').slice(0, VALUE_CHARACTERS)
  return `${line},${reason},"${shown.replaceAll('"', '""')}"\n`
}

/** Adds the broken records of a temporary CSV file to the rejects. Binding them as a list takes ten times as long. */
export async function addBroken(writer: Writer, file: number, path: string): Promise<void> {
  await writer.run(
    `INSERT INTO import_rejects
     SELECT $file, line, NULL, reason, value
     FROM read_csv(${literal(text(path))}, columns = {'line': 'BIGINT', 'reason': 'VARCHAR', 'value': 'VARCHAR'},
       auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', new_line = '\\n')`,
    { file: integer(file) },
  )
}

export async function countRejects(writer: Writer, file?: number): Promise<number> {
  const [row] = await writer.rows(
    'SELECT count(*) AS rejects FROM import_rejects WHERE $file IS NULL OR file = $file',
    file === undefined ? {} : { file: integer(file) },
  )
  return Number(row?.rejects)
}

/**
 * Writes the rejects file of an import: `file,line,column,reason,value`, ordered by file and line. Returns its path.
 */
export async function writeRejects(
  writer: Writer,
  lake: string,
  name: string,
  inputs: readonly Input[],
): Promise<string> {
  const path = rejectsPath(lake, name)
  const unfinished = `${path}.${process.pid}`
  await makeFolder(dirname(path))
  await writer.run(
    `CREATE OR REPLACE TEMP TABLE import_files AS
     SELECT unnest($numbers)::INTEGER AS number, unnest($names) AS name`,
    {
      numbers: integers(inputs.map((_, number) => number)),
      names: texts(inputs.map(({ shown }) => shown)),
    },
  )
  try {
    await writer.run(
      `COPY (
         SELECT name AS file, line, "column", reason, value
         FROM import_rejects JOIN import_files ON file = number
         ORDER BY number, line, "column", reason, value
       ) TO ${literal(text(unfinished))} (FORMAT csv, HEADER)`,
    )
    await syncFile(unfinished)
    await renameFile(unfinished, path)
    await syncFolder(dirname(path))
  } finally {
    await rm(unfinished, { force: true })
  }
  return path
}

/** The cause of a Failure for a mostly invalid file. */
export const MOSTLY_INVALID = 'mostly invalid'

/** The Failure for a file with more than half of its rows rejected. `endsImport`: so that nothing is imported. */
export async function mostlyInvalid(
  writer: Writer,
  file: number,
  input: Input,
  rejected: number,
  records: number,
  endsImport: boolean,
  rejectsFile: string | null,
): Promise<Failure> {
  const [common] = await writer.rows(
    `SELECT ${FAULT}, count(*)::VARCHAR AS number
     FROM import_rejects WHERE file = $file GROUP BY fault ORDER BY count(*) DESC, fault LIMIT 1`,
    { file: integer(file) },
  )
  const first = await writer.rows(
    `SELECT line, ${FAULT}, coalesce(value, '') AS value
     FROM import_rejects WHERE file = $file ORDER BY line LIMIT ${REJECTS_SHOWN}`,
    { file: integer(file) },
  )
  const shown = first.map(
    ({ line, fault, value }) =>
      `line ${line}: ${fault} ${JSON.stringify(oneLine(String(value).slice(0, 40)))}`,
  )
  const where = rejectsFile === null ? shown.join('; ') : `all are in ${rejectsFile}`
  return new Failure(
    'input_refused',
    `${endsImport ? 'nothing was imported: ' : ''}${rejected} of ${records} rows of ${input.shown} are invalid, most often ${common?.fault} (${common?.number} of them); ${where}`,
    { cause: MOSTLY_INVALID },
  )
}

/** Removes the leftovers of a failed import: its rejects file and, if the lake did not exist before, its folders. */
export async function removeTraces(lake: string, existed: boolean, name: string): Promise<void> {
  await rm(rejectsPath(lake, name), { force: true })
  await rm(rejectsFolder(lake, name), { recursive: true, force: true })
  for (const folder of existed ? [join(lake, REJECTS)] : [join(lake, REJECTS), join(lake, STAGING), lake]) {
    // A folder that is not empty stays.
    await rmdir(folder).catch(() => {})
  }
}

/** The folder with the rejected rows of an import. */
export const rejectsFolder = (lake: string, name: string) => join(lake, REJECTS, name)

const rejectsPath = (lake: string, name: string) => join(lake, REJECTS, `${name}.csv`)

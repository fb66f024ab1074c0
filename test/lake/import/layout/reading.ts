import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ImportFormat } from '../../../../src/lake/import/format/format.ts'
import { cancelingBy } from '../../../../src/lake/import/input/cancel.ts'
import { endingsOf } from '../../../../src/lake/import/input/endings.ts'
import { findFiles, hashFiles } from '../../../../src/lake/import/input/inputs.ts'
import type { Layout } from '../../../../src/lake/import/layout/layout.ts'
import { readInput } from '../../../../src/lake/import/read.ts'
import { mapAll } from '../../../../src/lake/import/rows/mapping.ts'
import type { Reading } from '../../../../src/lake/import/rows/reading.ts'
import { countRejects } from '../../../../src/lake/import/rows/rejects.ts'
import { accepted, createTables } from '../../../../src/lake/import/rows/tables.ts'
import { identifier, identifiers } from '../../../../src/lake/store/sorted-files.ts'
import { folderForTest } from '../../../fixtures/lake.ts'
import { writerForTest } from '../../store/days.ts'

/** The tables of an import of the sample of a layout, without a lake. */
export async function readSample(format: ImportFormat, layout: Layout, folder: string, layouts = [layout]) {
  const temporary = folderForTest()
  const { files, options = {} } = layout.sample ?? { files: [] }
  const found = await findFiles(
    files.map(name => join(folder, name)),
    endingsOf([]),
  )
  const inputs = await hashFiles(found.files, cancelingBy(undefined), () => {})
  const writer = await writerForTest(temporary, { threads: 2, inputs: inputs.map(({ real }) => real) })
  await createTables(writer, format, temporary)
  const unused: string[] = []
  const reading: Reading = {
    writer,
    format,
    layouts,
    isLayoutGiven: layouts.length === 1,
    isStrict: false,
    options,
    canceling: cancelingBy(undefined),
    folder: temporary,
    today: '2026-11-01',
    advance: () => {},
    mapped: () => {},
    notice: () => {},
    unused: (_, columns) => void unused.push(...columns),
  }
  for (const [number, input] of inputs.entries())
    await readInput(reading, number, { ...input, hash: '', hashes: new Map() })
  if (!format.isAlone) {
    for (const { name, columns } of format.reads) {
      const nothing = columns.map(column => `NULL::${column.type} AS ${identifier(column.name)}`)
      await writer.run(
        `CREATE TEMP VIEW ${identifier(`held_${name}`)} AS SELECT ${nothing.join(', ')} WHERE false`,
      )
    }
    await mapAll(reading)
  }
  const rejects = await writer.rows('SELECT line, "column", reason, value FROM import_rejects ORDER BY ALL')
  return {
    unused,
    rejects: rejects.map(row => Object.values(row).join(' ')),
    rejected: await countRejects(writer),
    /** The accepted rows of a dataset as text, NULL as nothing, ordered by the dataset's key. */
    async rows(name: string, columns: readonly string[]): Promise<string[]> {
      const found = format.mappings.find(each => each.dataset.name === name)
      if (found === undefined) throw new Error(`${format.name} does not fill ${name}`)
      const rows = await writer.rows(
        `SELECT COLUMNS(*)::VARCHAR FROM (
           SELECT ${identifiers(columns)} FROM ${accepted(found.dataset)} ORDER BY ${identifiers(found.dataset.key)})`,
      )
      return rows.map(row => columns.map(column => field(String(row[column] ?? ''))).join(','))
    },
  }
}

const field = (value: string) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** The header and the lines of a file with expected rows. */
export function expectedIn(path: string): { columns: string[]; lines: string[] } {
  const [header = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
  return { columns: header.split(','), lines }
}

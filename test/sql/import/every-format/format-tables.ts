import type { Bindings } from '../../../../src/engine/bind.ts'
import { date, text } from '../../../../src/engine/bind.ts'
import type { Writer } from '../../../../src/engine/writer.ts'
import type { ImportFormat } from '../../../../src/lake/import/format/format.ts'
import { createTables } from '../../../../src/lake/import/rows/tables.ts'
import { identifier } from '../../../../src/lake/store/sorted-files.ts'
import { folderForTest } from '../../../fixtures/lake.ts'

/** Creates the empty tables that the SQL of a format reads, as an import creates them. */
export async function createFormatTables(writer: Pick<Writer, 'run'>, format: ImportFormat): Promise<void> {
  await createTables(writer, format, folderForTest())
  for (const { name, columns } of format.reads) {
    const typed = columns.map(column => `${identifier(column.name)} ${column.type}`)
    await writer.run(`CREATE TEMP TABLE ${identifier(`held_${name}`)} (${typed.join(', ')})`)
  }
  for (const source of format.isAlone ? format.sources : []) {
    const columns = source.columns.map(({ name }) => `${identifier(name)} VARCHAR`)
    await writer.run(
      `CREATE TEMP TABLE ${identifier(source.name)} (file INTEGER, line BIGINT, ${columns.join(', ')})`,
    )
  }
}

/** Values for the parameters of a format's SQL: a day of import, and no option. */
export const parametersFor = ({ options }: ImportFormat): Bindings => ({
  today: date('2024-01-31'),
  ...Object.fromEntries(options.map(({ name }) => [name.replaceAll('-', '_'), text(null)])),
})

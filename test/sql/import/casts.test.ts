import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { date, text } from '../../../src/engine/bind.ts'
import type { ImportFormat } from '../../../src/lake/import/format/format.ts'
import { listFormats, macrosOf } from '../../../src/lake/import/format/formats.ts'
import { createTables } from '../../../src/lake/import/rows/tables.ts'
import { identifier } from '../../../src/lake/store/sorted-files.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { type CastFinder, castFinder } from '../../fixtures/lossy-casts.ts'

test.each(listFormats().map(format => [format.name, format] as const))(
  '%s rounds what it casts to fewer digits, and text with too many',
  async (_, format) => {
    const finder = await formatFinder(format)
    const options = format.options.map(({ name }) => [name.replaceAll('-', '_'), text(null)] as const)
    const bindings = { today: date('2024-01-31'), ...Object.fromEntries(options) }
    const found: string[] = []
    for (const { name, sql } of format.steps) {
      found.push(...(await finder.lossyCasts(sql, bindings)))
      await finder.run(`CREATE TEMP TABLE ${name} AS ${sql}`, bindings)
    }
    for (const { sql } of format.values) found.push(...(await finder.lossyCasts(sql, bindings)))
    for (const { dataset, sql } of format.mappings) {
      found.push(...(await finder.lossyCasts(sql, bindings)))
      found.push(...(await finder.lossyColumns(sql, bindings, dataset.columns)))
    }
    expect(found).toEqual([])
  },
)

/** Finds the casts of a format in its tables, as an import creates them. */
async function formatFinder(format: ImportFormat): Promise<CastFinder> {
  const finder = await castFinder({ isTextLong: true })
  onTestFinished(finder.close)
  await finder.run(readFileSync('sql/macros.sql', 'utf8'))
  await createTables(finder, format, folderForTest())
  await finder.define(
    macrosOf(format)
      .map(({ sql }) => `${sql};\n`)
      .join('\n'),
  )
  for (const { name, columns } of format.reads) {
    const typed = columns.map(column => `${identifier(column.name)} ${column.type}`)
    await finder.run(`CREATE TEMP TABLE ${identifier(`held_${name}`)} (${typed.join(', ')})`)
  }
  for (const source of format.isAlone ? format.sources : []) {
    const columns = source.columns.map(({ name }) => `${identifier(name)} VARCHAR`)
    await finder.run(
      `CREATE TEMP TABLE ${identifier(source.name)} (file INTEGER, line BIGINT, ${columns.join(', ')})`,
    )
  }
  return finder
}

import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { ImportFormat } from '../../../../src/lake/import/format/format.ts'
import { listFormats, macrosOf } from '../../../../src/lake/import/format/formats.ts'
import { type CastFinder, castFinder } from '../../../fixtures/lossy-casts.ts'
import { createFormatTables, parametersFor } from './format-tables.ts'

test.each(listFormats().map(format => [format.name, format] as const))(
  '%s rounds what it casts to fewer digits, and text with too many',
  { tags: 'slow' },
  async (_, format) => {
    const finder = await formatFinder(format)
    const bindings = parametersFor(format)
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
  await finder.define(
    macrosOf(format)
      .map(({ sql }) => `${sql};\n`)
      .join('\n'),
  )
  await createFormatTables(finder, format)
  return finder
}

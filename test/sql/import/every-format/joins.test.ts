import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { ImportFormat } from '../../../../src/lake/import/format/format.ts'
import { listFormats } from '../../../../src/lake/import/format/formats.ts'
import { joinFinder } from '../../../fixtures/nested-joins.ts'
import { createFormatTables, parametersFor } from './format-tables.ts'

/** Planning a mapping without a join takes longer than all else here. */
const mayJoin = ({ sql }: { readonly sql: string }) =>
  /\bJOIN\b|\bEXISTS\b|\bIN \(\s*(SELECT|FROM)\b|\(SELECT\b/.test(sql.replace(/--[^\n]*/g, ''))
const joining = listFormats().filter(mayJoin)

test.each(joining.map(format => [format.name, format] as const))(
  '%s compares no table with another row by row',
  { tags: 'slow' },
  async (_, format) => {
    const finder = await formatFinder(format)
    const bindings = parametersFor(format)
    const found: string[] = []
    for (const { name, sql } of format.steps) {
      if (mayJoin({ sql })) found.push(...(await finder.nestedJoins(sql, bindings)))
      await finder.createTable(name, sql, bindings)
    }
    for (const { sql } of format.mappings.filter(mayJoin))
      found.push(...(await finder.nestedJoins(sql, bindings)))
    expect(found).toEqual([])
  },
)

/** Finds the joins of a format in its tables, as an import creates them. */
async function formatFinder(format: ImportFormat) {
  const finder = await joinFinder()
  onTestFinished(finder.close)
  await finder.run(readFileSync('sql/macros.sql', 'utf8'))
  await createFormatTables(finder, format)
  return finder
}

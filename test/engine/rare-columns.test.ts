import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bindAll } from '../../src/engine/bind.ts'
import type { TableSchema } from '../../src/engine/empty-files.ts'
import { describeSql } from '../../src/engine/encode/sql.ts'
import { macros } from '../../src/engine/macros.ts'
import { resources } from '../../src/engine/resources.ts'
import { presentConditions, rareColumns, readTemplate, type Template } from '../../src/engine/template.ts'
import { dataset, datasets } from '../../src/lake/store/datasets.ts'

const templates = (['endpoints', 'stream'] as const).flatMap(folder =>
  resources.list(`sql/${folder}`).map(file => readTemplate(file.replace('.sql', ''), folder)),
)

/** An engine with a table of each dataset in each schema, without the columns that the schema leaves out. */
async function tables(schemas: Readonly<Record<string, (schema: TableSchema) => readonly string[]>>) {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  await connection.run(`SET TimeZone = 'UTC'`)
  await connection.run(
    macros()
      .map(({ sql }) => sql)
      .join('\n'),
  )
  for (const [name, leftOut] of Object.entries(schemas)) {
    await connection.run(`CREATE SCHEMA ${name}`)
    for (const schema of datasets().values()) {
      await connection.run(schema.createSql.replace('CREATE TABLE ', `CREATE TABLE ${name}.`))
      for (const column of leftOut(schema))
        await connection.run(`ALTER TABLE ${name}.${schema.name} DROP COLUMN ${column}`)
    }
  }
  return async (sql: string, schema: string) => {
    const over = sql.replace(/\bread_parquet\(\$([a-z_]+), hive_partitioning = false\)/g, `${schema}.$1`)
    const statement = await connection.prepare(describeSql(over))
    bindAll(statement, {})
    const result = await statement.run()
    statement.destroySync()
    return result.columnNames().map((name, index) => `${name} ${result.columnType(index)}`)
  }
}

const rareOf = (name: string) => rareColumns(dataset(name))
const withoutConditions = ({ sql }: Template) => presentConditions(sql, {})

describe('the rare columns of a dataset', () => {
  test('are those that templates name in conditions of optional parameters only, or nowhere', () => {
    // Both templates that read trades, contract-flow and contract-volume-profile, list their columns.
    expect(rareOf('option_trades').names).toEqual(
      expect.arrayContaining(['option_symbol_id', 'trade_code', 'multi_leg_id']),
    )
    expect(rareOf('option_trades').names).not.toContain('executed_at')
    // The screener filters by the first two, and sorts by the third if a request says so.
    expect(rareOf('contract_days').names).toEqual(expect.arrayContaining(['skew_perc', 'diff', 'spread']))
    // It filters by both and shows them, and open interest is summed.
    expect(rareOf('contract_days').names).not.toContain('premium')
    expect(rareOf('contract_days').names).not.toContain('open_interest')
  })

  test('are found in a statement that names them', () => {
    const { namedIn } = rareOf('contract_days')
    expect(namedIn('SELECT volume FROM t WHERE skew_perc >= 0.5 AND skew_perc <= 1 ORDER BY spread')).toEqual(
      ['skew_perc', 'spread'],
    )
    expect(namedIn("SELECT spreads, a_diff, 'diff' FROM t -- by spread\n /* or diff */")).toEqual([])
  })

  test('are none of a dataset that no template reads, or whose columns are not known', () => {
    expect(rareColumns({ ...dataset('option_trades'), name: 'unknown' }).names).toEqual([])
    expect(rareColumns({ name: 'option_trades', createSql: '' }).names).toEqual([])
  })

  test('are missed by no template without its optional parameters: a `SELECT *` would return fewer columns', async () => {
    const columnsOf = await tables({ whole: () => [], copied: schema => rareColumns(schema).names })
    expect(templates.length).toBeGreaterThanOrEqual(39)
    for (const template of templates) {
      const sql = withoutConditions(template)
      expect([template.name, await columnsOf(sql, 'copied')]).toEqual([
        template.name,
        await columnsOf(sql, 'whole'),
      ])
    }
  })

  test('that a template names with all of its parameters are all that it needs besides', async () => {
    const named = (schema: TableSchema) =>
      new Set(templates.flatMap(({ sql }) => rareColumns(schema).namedIn(sql)))
    const columnsOf = await tables({
      copied: schema => rareColumns(schema).names.filter(column => !named(schema).has(column)),
    })
    for (const { sql, name } of templates)
      expect([name, (await columnsOf(sql, 'copied')).length > 0]).toEqual([name, true])
  })
})

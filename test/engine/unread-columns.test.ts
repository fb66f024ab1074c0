import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bindAll } from '../../src/engine/bind.ts'
import { describeSql } from '../../src/engine/encode/sql.ts'
import { macros } from '../../src/engine/macros.ts'
import { resources } from '../../src/engine/resources.ts'
import { readTemplate, type Template, unreadColumns } from '../../src/engine/template.ts'
import { dataset, datasets } from '../../src/lake/store/datasets.ts'

const templates = (['endpoints', 'stream'] as const).flatMap(folder =>
  resources.list(`sql/${folder}`).map(file => readTemplate(file.replace('.sql', ''), folder)),
)

/** An engine with a table of each dataset: `whole.<dataset>` has all columns, `copied.<dataset>` those of a copy. */
async function tables() {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  await connection.run(`SET TimeZone = 'UTC'; CREATE SCHEMA whole; CREATE SCHEMA copied;`)
  await connection.run(
    macros()
      .map(({ sql }) => sql)
      .join('\n'),
  )
  for (const schema of datasets().values()) {
    await connection.run(schema.createSql.replace('CREATE TABLE ', 'CREATE TABLE whole.'))
    const kept = schema.columns.map(({ name }) => name).filter(name => !unreadColumns(schema).has(name))
    await connection.run(
      `CREATE TABLE copied.${schema.name} AS SELECT ${kept.join(', ')} FROM whole.${schema.name}`,
    )
  }
  return async ({ sql }: Template, schema: 'whole' | 'copied') => {
    const over = sql.replace(/\bread_parquet\(\$([a-z_]+), hive_partitioning = false\)/g, `${schema}.$1`)
    const statement = await connection.prepare(describeSql(over))
    bindAll(statement, {})
    const result = await statement.run()
    statement.destroySync()
    return result.columnNames().map((name, index) => `${name} ${result.columnType(index)}`)
  }
}

describe('columns that no template names', () => {
  test('are those of the schema that are in no template of the dataset', () => {
    // Both templates that read trades, contract-flow and contract-volume-profile, list their columns.
    expect([...unreadColumns(dataset('option_trades'))]).toEqual(
      expect.arrayContaining(['option_symbol_id', 'trade_code', 'multi_leg_id']),
    )
    expect(unreadColumns(dataset('option_trades')).has('executed_at')).toBe(false)
    // The screener filters by it.
    expect(unreadColumns(dataset('contract_days')).has('skew_perc')).toBe(false)
  })

  test('are none of a dataset that no template reads, or whose columns are not known', () => {
    expect(unreadColumns({ ...dataset('option_trades'), name: 'unknown' }).size).toBe(0)
    expect(unreadColumns({ name: 'option_trades', createSql: '' }).size).toBe(0)
  })

  test('are missed by no template: a `SELECT *` would return fewer columns', async () => {
    const columnsOf = await tables()
    expect(templates.length).toBeGreaterThanOrEqual(39)
    for (const template of templates)
      expect([template.name, await columnsOf(template, 'copied')]).toEqual([
        template.name,
        await columnsOf(template, 'whole'),
      ])
  })
})

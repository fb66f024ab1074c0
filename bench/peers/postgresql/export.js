import { readdirSync, writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'

/** Writes each table of the data as CSV, with the statements that create and fill it. */
const [data = '', folder = ''] = process.argv.slice(2)
const TYPES = { DOUBLE: 'double precision', TIMESTAMP: 'timestamp', VARCHAR: 'text', 'VARCHAR[]': 'text[]' }

const instance = await DuckDBInstance.create(':memory:')
const connection = await instance.connect()
for (const entry of readdirSync(data, { withFileTypes: true })) {
  const name = entry.name.replace('.parquet', '')
  const files = entry.isDirectory() ? `${data}/${name}/*.parquet` : `${data}/${entry.name}`
  const rows = `read_parquet('${files}')`
  const described = await (await connection.run(`DESCRIBE FROM ${rows}`)).getRowObjectsJson()
  const columns = described.map(({ column_name, column_type }) => ({
    column: column_name,
    type: column_type,
  }))
  const created = columns.map(({ column, type }) => `"${column}" ${TYPES[type] ?? type}`)
  const selected = columns.map(({ column, type }) =>
    type.endsWith('[]') ? `'{' || array_to_string("${column}", ',') || '}' AS "${column}"` : `"${column}"`,
  )
  await connection.run(
    `COPY (SELECT ${selected} FROM ${rows}) TO '${folder}/${name}.csv' (FORMAT csv, HEADER)`,
  )
  writeFileSync(
    `${folder}/${name}.sql`,
    `CREATE TABLE ${name} (${created.join(', ')});\n\\copy ${name} FROM '${folder}/${name}.csv' (FORMAT csv, HEADER)\n`,
  )
}
connection.closeSync()
instance.closeSync()

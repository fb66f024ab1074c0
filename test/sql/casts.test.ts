import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expressionOf, expressionText, type Node, sqlOf, treeOf } from '../fixtures/sql-tree.ts'

/**
 * A cast that loses digits rounds in DuckDB and truncates in other engines. So a template says which one it means: what
 * it casts to fewer places is a call of a function that rounds.
 *
 * The types are those that DuckDB binds. The operand x of each cast becomes `CASE WHEN typeof(x) = '#n#' THEN x ELSE x
 * END`, and the plan has the type in place of `typeof(x)`.
 */

const SQL = fileURLToPath(new URL('../../sql/', import.meta.url))
const FOLDERS = ['endpoints', 'derive', 'stream']
const ROUNDING = new Set(['half_even', 'round', 'trunc', 'floor'])

/** Operands whose type is that of a binding: lists of integers. */
const BOUND = new Set(['bin'])

interface Cast {
  readonly source: Node
  readonly to: string
  /** Decimal places of the type that it casts to. */
  readonly places: number
  readonly tree: string
}

let instance: DuckDBInstance
let connection: DuckDBConnection
let typed: string
let isNull: string

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:')
  connection = await instance.connect()
  await connection.run(readFileSync(`${SQL}macros.sql`, 'utf8'))
  for (const file of readdirSync(`${SQL}schema`))
    await connection.run(readFileSync(`${SQL}schema/${file}`, 'utf8'))
  typed = JSON.stringify(
    await expressionOf(connection, "CASE WHEN typeof(operand) = '#n#' THEN operand ELSE operand END"),
  )
  isNull = JSON.stringify(await expressionOf(connection, 'operand IS NULL'))
  // Optimizers fold the constant types. DuckDB cannot plan some of the templates without join_order.
  const others = await connection.run(
    "SELECT string_agg(name, ',') AS names FROM duckdb_optimizers() WHERE name NOT IN ('join_order', 'deliminator')",
  )
  const [optimizers] = await others.getRowObjectsJson()
  await connection.run(`SET disabled_optimizers = '${optimizers?.names}'`)
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

test.each(FOLDERS.flatMap(folder => readdirSync(SQL + folder).map(file => `${folder}/${file}`)))(
  '%s rounds what it casts to fewer digits',
  async file => {
    expect(
      await lossyCasts(
        readFileSync(SQL + file, 'utf8')
          .trim()
          .replace(/;$/, ''),
      ),
    ).toEqual([])
  },
)

const LOSSY: [select: string, found: string[]][] = [
  ['SELECT close::BIGINT AS close FROM bars', ['DECIMAL(18,6) to BIGINT: "close"']],
  ['SELECT sum(close::DECIMAL(18, 2)) AS total FROM bars', ['DECIMAL(18,6) to DECIMAL(18,2): "close"']],
  ['SELECT (sum(volume) / 2)::BIGINT AS half FROM bars', ['DOUBLE to BIGINT: (sum(volume) / 2)']],
  ['SELECT 1 FROM bars WHERE TRY_CAST(low AS INTEGER) > 3', ['DECIMAL(18,6) to INTEGER: low']],
  ['SELECT max(close) OVER (ORDER BY close::INTEGER) AS m FROM bars', ['DECIMAL(18,6) to INTEGER: "close"']],
  ['SELECT round(close, 0)::BIGINT, volume::INTEGER, close::DECIMAL(38, 10) FROM bars', []],
  ['SELECT half_even(close, 2)::DECIMAL(18, 2) AS close, sum(volume)::BIGINT AS v FROM bars GROUP BY 1', []],
]
test.each(LOSSY)('of %s, %j', async (select, found) => {
  expect(await lossyCasts(`WITH bars AS (SELECT * FROM read_parquet($daily_bars)) ${select}`)).toEqual(found)
})

async function lossyCasts(sql: string): Promise<string[]> {
  const tree = await treeOf(connection, sql.replaceAll(/read_parquet\(\$(\w+)[^)]*\)/g, '$1'))
  expect(tree.error_message).toBe(undefined)
  const casts: Cast[] = []
  replaceOperands(tree, casts)
  // The plan does not have an expression with an alias. It has sort keys; but not every SELECT may have them.
  const sorted = structuredClone(tree)
  sortByAliased(sorted)
  const plan = (await planOf(tree)) + (await planOf(sorted).catch(() => ''))
  const types = new Map<number, string>()
  for (const [, type = '', index] of plan.matchAll(/CAST\('([A-Z][^']*)' AS VARCHAR\) = CAST\('#(\d+)#'/g))
    types.set(Number(index), type)
  const lossy: string[] = []
  for (const [index, { source, to, places }] of casts.entries()) {
    const operand = await expressionText(connection, source)
    if (source.class === 'PARAMETER' || BOUND.has(operand)) continue
    const from = types.get(index) ?? 'an unknown type'
    if (ROUNDING.has(String(source.function_name)) || placesOf(from) <= places) continue
    lossy.push(`${from} to ${to}: ${operand}`)
  }
  return lossy
}

/** Decimal places of the values of a type: infinitely many of doubles and unknown types. */
function placesOf(type: string): number {
  if (/INT/.test(type) || type === 'BOOLEAN' || type === 'VARCHAR') return 0
  return Number(/^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1] ?? Number.POSITIVE_INFINITY)
}

/** Replaces the operand of each cast to integers or decimals. Equal casts keep being equal: they may be grouped by. */
function replaceOperands(node: unknown, casts: Cast[]): void {
  if (Array.isArray(node)) for (const each of node) replaceOperands(each, casts)
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return
  const own = node as Node
  const tree = JSON.stringify({ ...own, alias: '' })
  for (const value of Object.values(own)) replaceOperands(value, casts)
  if (own.type !== 'OPERATOR_CAST') return
  const { id, type_info: info } = own.cast_type as {
    id: string
    type_info: { width: number; scale: number } | null
  }
  if (!/INT|DECIMAL/.test(id) || id === 'INTERVAL') return
  const known = casts.findIndex(cast => cast.tree === tree)
  const { child: source } = JSON.parse(tree) as { child: Node }
  const to = info ? `${id}(${info.width},${info.scale})` : id
  const index = known === -1 ? casts.push({ source, to, places: info?.scale ?? 0, tree }) - 1 : known
  own.child = fill(typed.replace('#n#', `#${index}#`), own.child as Node)
}

function sortByAliased(node: unknown): void {
  if (Array.isArray(node)) for (const each of node) sortByAliased(each)
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return
  const own = node as Node
  for (const value of Object.values(own)) sortByAliased(value)
  if (own.type !== 'SELECT_NODE') return
  const orders = (own.select_list as Node[])
    .filter(each => each.alias !== '' && /"value":"#\d+#"/.test(JSON.stringify(each)))
    .map(each => ({
      type: 'ASCENDING',
      null_order: 'NULLS LAST',
      expression: fill(isNull, { ...each, alias: '' }),
    }))
  const modifiers = own.modifiers as Node[]
  const present = modifiers.find(({ type }) => type === 'ORDER_MODIFIER')
  if (present) (present.orders as Node[]).push(...orders)
  else if (orders.length > 0) modifiers.unshift({ type: 'ORDER_MODIFIER', orders })
}

/** An expression with another one in place of the column `operand`. */
function fill(expression: string, operand: Node): Node {
  return JSON.parse(expression, (_, value) =>
    Array.isArray(value?.column_names) && value.column_names[0] === 'operand' ? operand : value,
  )
}

/** The plan of a SELECT whose parameters are NULL. */
async function planOf(tree: Node): Promise<string> {
  const statement = await connection.prepare(`EXPLAIN (FORMAT json) ${await sqlOf(connection, tree)}`)
  for (let index = 1; index <= statement.parameterCount; index += 1) statement.bindNull(index)
  const rows = await (await statement.run()).getRowsJson()
  return rows.map(([, plan]) => String(plan)).join('\n')
}

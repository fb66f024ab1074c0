import type { DuckDBConnection } from '@duckdb/node-api'
import { expressionText, type Node, sqlOf, treeOf } from '../fixtures/sql-tree.ts'

/** A template with one thing in it changed that ought to matter. */
export interface Mutation {
  /** What was done to what, e.g. `without (date = $date)`. */
  readonly name: string
  readonly sql: string
}

/** A place in the tree where a change is made: what to call it, and how to make it and take it back. */
interface Change {
  readonly name: string
  /** The expression that the change is about. */
  readonly of: Node
  readonly apply: () => () => void
}

const FLIPPED: Readonly<Record<string, string>> = {
  COMPARE_GREATERTHANOREQUALTO: 'COMPARE_GREATERTHAN',
  COMPARE_GREATERTHAN: 'COMPARE_GREATERTHANOREQUALTO',
  COMPARE_LESSTHANOREQUALTO: 'COMPARE_LESSTHAN',
  COMPARE_LESSTHAN: 'COMPARE_LESSTHANOREQUALTO',
  COMPARE_EQUAL: 'COMPARE_NOTEQUAL',
  COMPARE_NOTEQUAL: 'COMPARE_EQUAL',
  OPERATOR_IS_NULL: 'OPERATOR_IS_NOT_NULL',
  OPERATOR_IS_NOT_NULL: 'OPERATOR_IS_NULL',
}

/** Clauses that hold a condition: it can be taken away. */
const CONDITIONS = ['where_clause', 'having', 'qualify', 'filter']

/**
 * Every mutation of a SELECT, in an order that only its shape decides: each predicate (a part of an AND or OR, or a
 * whole condition) taken away, each comparison flipped (a bound between inclusive and exclusive, equality turned
 * round), each member of an IN list taken away, each sort key turned round, each limit and offset lifted.
 */
export async function mutationsOf(connection: DuckDBConnection, sql: string): Promise<Mutation[]> {
  const tree = await treeOf(connection, sql)
  if (tree.error) throw new Error(`cannot parse the template: ${JSON.stringify(tree)}`)
  const changes: Change[] = []
  visit(tree, changes)
  const mutations: Mutation[] = []
  for (const { name, of, apply } of changes) {
    const label = `${name} ${of.class === undefined ? JSON.stringify(of.type ?? '') : await expressionText(connection, of)}`
    const revert = apply()
    mutations.push({ name: label, sql: await sqlOf(connection, tree) })
    revert()
  }
  return mutations
}

function visit(node: unknown, changes: Change[]): void {
  if (Array.isArray(node)) for (const each of node) visit(each, changes)
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return
  const own = node as Node
  // The options of read_parquet look like comparisons.
  if (own.type === 'TABLE_FUNCTION') return
  if (own.class === 'CONJUNCTION') {
    const children = own.children as Node[]
    for (const child of children)
      changes.push({
        name: 'without',
        of: child,
        apply: () => taking(children, child),
      })
  }
  if (own.type === 'COMPARE_IN' || own.type === 'COMPARE_NOT_IN') {
    const children = own.children as Node[]
    for (const member of children.length > 2 ? children.slice(1) : [])
      changes.push({ name: 'without the member', of: member, apply: () => taking(children, member) })
  }
  const flipped = FLIPPED[String(own.type)]
  if (flipped !== undefined) changes.push(replacing('flipped', own, own, 'type', flipped))
  for (const clause of CONDITIONS) {
    const condition = own[clause] as Node | null | undefined
    if (condition && condition.class !== 'CONJUNCTION')
      changes.push(replacing('without', condition, own, clause, null))
  }
  if (own.join_type !== undefined && own.condition && (own.condition as Node).class !== 'CONJUNCTION')
    changes.push(replacing('joined without', own.condition as Node, own, 'condition', TRUE))
  if (own.type === 'LIMIT_MODIFIER')
    for (const part of ['limit', 'offset'])
      if (own[part]) changes.push(replacing('lifted', own[part] as Node, own, part, null))
  if (own.type === 'ORDER_MODIFIER')
    for (const order of own.orders as Node[]) {
      const other = order.type === 'DESCENDING' ? 'ASCENDING' : 'DESCENDING'
      changes.push(replacing('sorted the other way by', order.expression as Node, order, 'type', other))
    }
  for (const value of Object.values(own)) visit(value, changes)
}

/** Takes a child away, and answers how to put it back. */
function taking(children: Node[], child: Node): () => void {
  const index = children.indexOf(child)
  children.splice(index, 1)
  return () => children.splice(index, 0, child)
}

const TRUE = {
  class: 'CONSTANT',
  type: 'VALUE_CONSTANT',
  alias: '',
  query_location: 0,
  value: { type: { id: 'BOOLEAN', type_info: null }, is_null: false, value: true },
}

function replacing(name: string, of: Node, holder: Node, key: string, value: unknown): Change {
  return {
    name,
    of,
    apply: () => {
      const former = holder[key]
      holder[key] = value
      return () => {
        holder[key] = former
      }
    },
  }
}

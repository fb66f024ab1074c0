/** Columns of a dataset that are computed from the other columns of their row. */
export interface ComputedColumns {
  readonly names: readonly string[]
  /** One SELECT of the relation `rows`, which has the other columns: all of these, then the computed ones. */
  readonly sql: string
}

/** A SELECT of the rows of a relation with the computed columns, whatever values it has for them, if any. */
export function completed({ names, sql }: ComputedColumns, relation: string): string {
  const list = names.map(name => `'${name}'`).join(', ')
  return `WITH rows AS (SELECT COLUMNS(lambda name: name NOT IN (${list})) FROM ${relation}) FROM (${sql})`
}

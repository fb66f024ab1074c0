import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'

/** How one format rewrites scalar values and keys. */
export interface Forms {
  /** SQL of the rewritten form of `value`, which is SQL too. Returns `value` if the format needs no change. */
  scalar(value: string, type: DuckDBType): string
  /** Likewise for a MAP's key. Keys must not be null and must stay distinct. */
  key(value: string, type: DuckDBType): string
}

/** A name as a quoted SQL identifier. */
export const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A template as a subquery. On separate lines, so that a comment at its end does not hide the closing parenthesis. */
export const bracketed = (template: string) => `(\n${template}\n)`

/** A string as a SQL literal. */
export const literalText = (value: string) => `'${value.replaceAll("'", "''")}'`

// The parameter of every lambda. Nested lambdas can share it, because each one uses only its own item.
const ITEM = 'item'

/**
 * SQL of `value` with all scalars rewritten, at any depth of LIST, ARRAY, STRUCT and MAP. If nothing changes, the result
 * is the same text as `value`, except that an ARRAY becomes a LIST.
 */
export function rewrite(value: string, type: DuckDBType, forms: Forms): string {
  switch (type.typeId) {
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY: {
      const form = rewrite(ITEM, type.valueType, forms)
      // An ARRAY always becomes a LIST: DuckDB does not support CASE over an ARRAY, and so no null struct with one.
      const same = form === ITEM && type.typeId === DuckDBTypeId.LIST
      return same ? value : `list_transform(${value}, lambda ${ITEM}: ${form})`
    }
    case DuckDBTypeId.STRUCT: {
      const fields = type.entryTypes.map((entryType, index) => {
        const name = type.entryNames[index] ?? ''
        const old = `struct_extract(${value}, ${literalText(name)})`
        return { name, old, value: rewrite(old, entryType, forms) }
      })
      if (fields.every(field => field.value === field.old)) return value
      // struct_pack alone would turn a NULL struct into a struct of nulls.
      return `CASE WHEN ${value} IS NOT NULL THEN ${structPack(fields)} END`
    }
    case DuckDBTypeId.MAP: {
      const [key, entry] = [`struct_extract(${ITEM}, 'key')`, `struct_extract(${ITEM}, 'value')`]
      const keyForm = forms.key(key, type.keyType)
      const entryForm = rewrite(entry, type.valueType, forms)
      if (keyForm === key && entryForm === entry) return value
      const pair = structPack([
        { name: 'key', value: keyForm },
        { name: 'value', value: entryForm },
      ])
      return `map_from_entries(list_transform(map_entries(${value}), lambda ${ITEM}: ${pair}))`
    }
    default:
      return forms.scalar(value, type)
  }
}

/** SQL of a struct with these fields, in order. */
export function structPack(fields: readonly { readonly name: string; readonly value: string }[]): string {
  return `struct_pack(${fields.map(({ name, value }) => `${identifier(name)} := ${value}`).join(', ')})`
}

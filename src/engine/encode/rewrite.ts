import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'

/** How values of types that hold no other type are rewritten in one format. */
export interface Forms {
  /** SQL of the new form of `value`, SQL of its own; the same text where the format shows it as it is. */
  scalar(value: string, type: DuckDBType): string
  /** SQL of a MAP's key. Keys are never null and must stay distinct. */
  key(value: string, type: DuckDBType): string
}

/** An identifier as SQL: quoted, whatever characters it holds. */
export const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** A string as a SQL literal. */
export const literalText = (value: string) => `'${value.replaceAll("'", "''")}'`

// Every lambda's parameter: what stands inside one is made of its own item only, never of an outer one.
const ITEM = 'item'

/**
 * SQL of `value` with every scalar inside it in its new form, at any depth of LIST, ARRAY, STRUCT and MAP. A part
 * without a scalar to rewrite is left alone, so a value of which nothing changes comes back as the same text. An
 * ARRAY becomes a LIST.
 */
export function rewrite(value: string, type: DuckDBType, forms: Forms): string {
  switch (type.typeId) {
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY: {
      const form = rewrite(ITEM, type.valueType, forms)
      // An ARRAY always becomes a LIST: DuckDB has no CASE, and so no null struct, over an ARRAY.
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
      // struct_pack alone would make a struct of nulls out of a NULL struct.
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

import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import type { SchemaElement } from 'hyparquet'
import type { ColumnType } from '../encode/types.ts'

/** An element of a schema without its name. Every value may be null. */
type Leaf = Omit<SchemaElement, 'name' | 'repetition_type'>

/** How values are stored: as the engine stores what `typedForms` makes of them. */
const LEAVES: ReadonlyMap<DuckDBTypeId, Leaf> = new Map<DuckDBTypeId, Leaf>([
  [DuckDBTypeId.BOOLEAN, { type: 'BOOLEAN' }],
  [DuckDBTypeId.TINYINT, { type: 'INT32', converted_type: 'INT_8' }],
  [DuckDBTypeId.SMALLINT, { type: 'INT32', converted_type: 'INT_16' }],
  [DuckDBTypeId.INTEGER, { type: 'INT32', converted_type: 'INT_32' }],
  [DuckDBTypeId.UTINYINT, { type: 'INT32', converted_type: 'UINT_8' }],
  [DuckDBTypeId.USMALLINT, { type: 'INT32', converted_type: 'UINT_16' }],
  [DuckDBTypeId.BIGINT, { type: 'INT64', converted_type: 'INT_64' }],
  [DuckDBTypeId.DOUBLE, { type: 'DOUBLE' }],
  [DuckDBTypeId.DATE, { type: 'INT32', converted_type: 'DATE' }],
  [DuckDBTypeId.VARCHAR, { type: 'BYTE_ARRAY', converted_type: 'UTF8' }],
  [DuckDBTypeId.UUID, { type: 'BYTE_ARRAY', converted_type: 'UTF8' }],
  [DuckDBTypeId.TIMESTAMP, instant()],
  [DuckDBTypeId.TIMESTAMP_TZ, instant()],
])

function instant(): Leaf {
  const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } as const
  return { type: 'INT64', converted_type: 'TIMESTAMP_MICROS', logical_type }
}

/** The most digits of a decimal in 32 and 64 bits. */
const [INT32_DIGITS, INT64_DIGITS] = [9, 18]

function decimal(precision: number, scale: number): Leaf {
  const logical_type = { type: 'DECIMAL', precision, scale } as const
  const digits = { converted_type: 'DECIMAL', precision, scale, logical_type } as const
  if (precision <= INT32_DIGITS) return { type: 'INT32', ...digits }
  if (precision <= INT64_DIGITS) return { type: 'INT64', ...digits }
  return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...digits }
}

/** The schema of a file with these columns, of types that `isWritable` (src/engine/text/values.ts) names. */
export const schemaOf = (columns: readonly ColumnType[]): SchemaElement[] => [
  { name: 'schema', repetition_type: 'REQUIRED', num_children: columns.length },
  ...columns.flatMap(({ name, type }) => elementsOf(name, type)),
]

/** The elements of a column and of what it contains, the column first. */
function elementsOf(name: string, type: DuckDBType): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL:
      return [{ ...optional, ...decimal(type.width, type.scale) }]
    case DuckDBTypeId.LIST:
      return [
        { ...optional, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        ...elementsOf('element', type.valueType),
      ]
    case DuckDBTypeId.STRUCT: {
      const { entryNames, entryTypes } = type
      const fields = entryTypes.flatMap((entry, index) => elementsOf(entryNames[index] ?? '', entry))
      return [{ ...optional, num_children: entryTypes.length }, ...fields]
    }
    default: {
      const leaf = LEAVES.get(type.typeId)
      if (leaf === undefined)
        throw new Error(`column "${name}": values of type ${type} are written by the engine only`)
      return [{ ...optional, ...leaf }]
    }
  }
}

import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'

/** Name and type of a result's column, from `columnNames()` and `columnTypes()`. */
export interface ColumnType {
  readonly name: string
  readonly type: DuckDBType
}

const SCALARS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.ENUM,
  DuckDBTypeId.UUID,
  DuckDBTypeId.BLOB,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
  DuckDBTypeId.SQLNULL,
])

/** JSON is an alias of VARCHAR, and the only alias that changes how a value is encoded. */
export const isJson = (type: DuckDBType) => type.alias === 'JSON'

/** Throws an error with the column's name and type if a part of `type` cannot be encoded (INTERVAL, UNION, BIT, …). */
export function assertEncodable(column: string, type: DuckDBType, part: DuckDBType = type): void {
  switch (part.typeId) {
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return assertEncodable(column, type, part.valueType)
    case DuckDBTypeId.STRUCT:
      if (part.entryNames.includes('')) break
      for (const entry of part.entryTypes) assertEncodable(column, type, entry)
      return
    case DuckDBTypeId.MAP:
      if (!SCALARS.has(part.keyType.typeId)) break
      return assertEncodable(column, type, part.valueType)
    default:
      if (SCALARS.has(part.typeId)) return
  }
  const cause = part === type ? '' : `, because it contains ${part}`
  throw new Error(`column "${column}": a value of type ${type} cannot be encoded${cause}`)
}

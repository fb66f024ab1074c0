import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'

/** A column of a result: what `columnNames()` and `columnTypes()` say about it. */
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

/** JSON is VARCHAR under another name, and the only alias that changes how a value is shown. */
export const isJson = (type: DuckDBType) => type.alias === 'JSON'

/** Throws, with the column's name and type, if a part of `type` has no form in an answer (INTERVAL, UNION, BIT, …). */
export function refuseUnanswerable(column: string, type: DuckDBType, part: DuckDBType = type): void {
  switch (part.typeId) {
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return refuseUnanswerable(column, type, part.valueType)
    case DuckDBTypeId.STRUCT:
      if (part.entryNames.includes('')) break
      for (const entry of part.entryTypes) refuseUnanswerable(column, type, entry)
      return
    case DuckDBTypeId.MAP:
      if (!SCALARS.has(part.keyType.typeId)) break
      return refuseUnanswerable(column, type, part.valueType)
    default:
      if (SCALARS.has(part.typeId)) return
  }
  const where = part === type ? '' : `, because of ${part} in it`
  throw new Error(`column "${column}": a value of type ${type} cannot be shown${where}`)
}

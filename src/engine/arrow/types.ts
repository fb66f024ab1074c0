import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api'
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  Map_,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow'
import { INTEGER_DIGITS_MAX } from './decimals.ts'

/**
 * The Arrow type for a DuckDB type. Every timestamp is UTC; UUID, ENUM and JSON become text. Throws an error that names
 * `column` for a type without an equivalent here (INTERVAL, UNION, BIT, …).
 */
export function arrowType(column: string, type: DuckDBType): DataType {
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return new Bool()
    case DuckDBTypeId.TINYINT:
      return new Int8()
    case DuckDBTypeId.SMALLINT:
      return new Int16()
    case DuckDBTypeId.INTEGER:
      return new Int32()
    case DuckDBTypeId.BIGINT:
      return new Int64()
    case DuckDBTypeId.UTINYINT:
      return new Uint8()
    case DuckDBTypeId.USMALLINT:
      return new Uint16()
    case DuckDBTypeId.UINTEGER:
      return new Uint32()
    case DuckDBTypeId.UBIGINT:
      return new Uint64()
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UHUGEINT:
      return new Decimal(0, INTEGER_DIGITS_MAX, 128)
    case DuckDBTypeId.DECIMAL:
      return new Decimal(type.scale, type.width, 128)
    case DuckDBTypeId.FLOAT:
      return new Float32()
    case DuckDBTypeId.DOUBLE:
      return new Float64()
    case DuckDBTypeId.VARCHAR:
    case DuckDBTypeId.ENUM:
    case DuckDBTypeId.UUID:
      return new Utf8()
    case DuckDBTypeId.BLOB:
      return new Binary()
    case DuckDBTypeId.DATE:
      return new DateDay()
    case DuckDBTypeId.TIME:
      return new TimeMicrosecond()
    case DuckDBTypeId.TIMESTAMP_S:
      return new TimestampSecond('UTC')
    case DuckDBTypeId.TIMESTAMP_MS:
      return new TimestampMillisecond('UTC')
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
      return new TimestampMicrosecond('UTC')
    case DuckDBTypeId.TIMESTAMP_NS:
      return new TimestampNanosecond('UTC')
    case DuckDBTypeId.LIST:
      return new List(new Field('item', arrowType(column, type.valueType), true))
    case DuckDBTypeId.ARRAY:
      return new FixedSizeList(type.length, new Field('item', arrowType(column, type.valueType), true))
    case DuckDBTypeId.STRUCT:
      return new Struct(
        type.entryTypes.map((entry, index) => {
          return new Field(type.entryNames[index] ?? '', arrowType(column, entry), true)
        }),
      )
    case DuckDBTypeId.MAP: {
      const key = new Field('key', arrowType(column, type.keyType), false)
      const value = new Field('value', arrowType(column, type.valueType), true)
      return new Map_(
        new Field('entries', new Struct<{ key: DataType; value: DataType }>([key, value]), false),
      )
    }
    default:
      throw new Error(`column "${column}": ${type} has no Arrow equivalent`)
  }
}

import type { Parameter } from '../../operations/parameters/parameter.ts'

/** The parameter that selects a snapshot, where the server permits it. */
export const SNAPSHOT = 'snapshot'
/** The parameter that selects a time, where the server permits it. */
export const AS_OF = 'as_of'

/** What requests may name, because the server permits it. Default: nothing. */
export interface Permitted {
  readonly allowSnapshots?: boolean
  readonly allowAsOf?: boolean
  /** Whether answers ignore unknown parameters. */
  readonly ignoresUnknown?: boolean
}

/** A parameter of an operation. A repeatable one occurs once per value; its brackets may also contain an index. */
export function describeParameter(
  name: string,
  { in: place, required, repeatable, description, schema, example }: Parameter,
) {
  return {
    name,
    in: place,
    required,
    description,
    ...(repeatable ? { style: 'form', explode: true } : {}),
    schema: withNames(schema),
    example: repeatable ? [example] : typed(schema, example),
  }
}

interface Enumerated {
  readonly enum?: readonly string[]
  readonly items?: Enumerated
}

/**
 * A schema whose enumeration names its values, if one of them begins with a digit: generators would number them. The
 * digits follow the letters: `M5` of `5m`, `YEAR10` of `10year`.
 */
function withNames<T extends Enumerated>(schema: T): T {
  if (schema.items) return { ...schema, items: withNames(schema.items) }
  if (!schema.enum?.some(value => /^\d/.test(value))) return schema
  const names = schema.enum.map(value =>
    value
      .toUpperCase()
      .replace(/^(\d+)(.*)$/, '$2$1')
      .replaceAll(/\W/g, '_'),
  )
  return { ...schema, 'x-enum-varnames': names }
}

/** The value that an example's text represents, so that it matches the schema. */
function typed({ type }: { type?: unknown }, text: string): unknown {
  return type === 'integer' || type === 'number' || type === 'boolean' ? JSON.parse(text) : text
}

/** The parameters that every operation takes, because the server permits them. */
export const permittedParameters = ({ allowSnapshots = false, allowAsOf = false }: Permitted) => [
  ...(allowSnapshots ? [SNAPSHOT_PARAMETER] : []),
  ...(allowAsOf ? [AS_OF_PARAMETER] : []),
]

const SNAPSHOT_PARAMETER = {
  name: SNAPSHOT,
  in: 'query',
  required: false,
  description:
    'Number of a snapshot of the lake, or the name by which one is kept. Default: the snapshot that the server serves.',
  schema: { type: 'string', pattern: '^([1-9][0-9]{0,14}|[a-z0-9][a-z0-9._-]{0,63})$' },
  example: '12',
}

const AS_OF_PARAMETER = {
  name: AS_OF,
  in: 'query',
  required: false,
  description:
    'A date, or a time with a zone. The response has what was known by the last 20:00 New York at or before it; for a date, by 20:00 of that date. The first request for a day may get a 503 while its state is computed. Default: all that the lake knows.',
  schema: { type: 'string' },
  example: '2024-03-15',
}

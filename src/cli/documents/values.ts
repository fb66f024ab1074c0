import type { Parameter } from '../../operations/parameters/parameter.ts'

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly multipleOf?: number
  readonly maxLength?: number
  readonly default?: unknown
}

/** What values a parameter has, in a few words: `integer, 1 to 500`. */
export function valuesOf({ schema }: Parameter): string {
  const { items, ...own }: Schema = schema
  return items ? `list: ${kindOf(items)}` : kindOf(own)
}

function kindOf(schema: Schema): string {
  const { type, format, enum: values, maxLength } = schema
  if (values) return 'one of the values'
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'integer' || type === 'number')
    return [schema.multipleOf === 2 ? 'even integer' : type, boundsOf(schema)].filter(text => text).join(', ')
  if (format === 'date') return 'date'
  return maxLength === undefined ? 'text' : `text, at most ${maxLength} characters`
}

const shown = (bound: number) => bound.toLocaleString('en-US', { useGrouping: bound >= 10_000 })

/** `1 to 500`, `at least 0`; empty without bounds. */
export function boundsOf({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${shown(minimum)} to ${shown(maximum)}`
  if (minimum !== undefined) return `at least ${shown(minimum)}`
  return maximum === undefined ? '' : `at most ${shown(maximum)}`
}

/** The default of a parameter, as the client would send it; empty where leaving it out is not the same as a value. */
export const defaultOf = ({ schema }: Parameter): string => {
  const { default: value }: Schema = schema
  return value === undefined ? '' : `\`${value}\``
}

/** The bounds of an integer with its own ones, for a table of limits; null for another parameter. */
export function limitOf({ schema }: Parameter): string | null {
  const { type, minimum, maximum, default: value }: Schema = schema
  return type === 'integer' && (minimum !== undefined || maximum !== undefined || value !== undefined)
    ? boundsOf({
        ...(minimum === undefined ? {} : { minimum }),
        ...(maximum === undefined ? {} : { maximum }),
      })
    : null
}

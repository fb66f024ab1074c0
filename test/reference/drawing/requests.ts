import type { Operation } from '../../../src/operations/answering/operation.ts'
import type { Parameter } from '../../../src/operations/parameters/parameter.ts'
import { compare, type Decimal, decimal, isDecimal, negated, plus, textOf, times } from '../decimal.ts'
import type { Value } from '../lake.ts'
import type { Request } from '../request.ts'
import { timeText } from '../time.ts'
import type { Random } from './random.ts'
import type { Sampling, Source } from './samples.ts'

/** Random valid requests, from the names and schemas of an operation's parameters and values of the data. */

const DATED = 0.5
/** Parameters that no filter is, each with the probability that a request has it. */
const APART: Readonly<Record<string, number>> = {
  date: DATED,
  limit: 0.4,
  page: 0.2,
  order: 0.5,
  order_direction: 0.4,
}
const FILTERS_MAX = 4
/** Numbers that are names: their neighbours are not valid. */
const NAMES: readonly string[] = ['cycle']
/** Of requests that a ticker or an id that the data lack. */
const UNKNOWN = 0.02

const TICKER = /^[A-Z][A-Z0-9.-]{0,9}$/

/** What generating reads of JSON Schema. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
}

export function drawRequest(operation: Operation, sampling: Sampling, random: Random): Request {
  const entries = Object.entries(operation.parameters)
  const isDated = random.chance(DATED)
  const source = sampling(random, isDated)
  const path: Record<string, string> = {}
  const query: Record<string, string | string[]> = {}
  for (const [name, parameter] of entries) {
    if (parameter.in === 'path') path[name] = textFor(name, parameter, source, random)
    else if (parameter.required || (name === 'date' ? isDated : random.chance(APART[name] ?? 0)))
      query[name] = textFor(name, parameter, source, random)
  }
  const filters = entries.filter(([name, each]) => each.in === 'query' && !each.required && !(name in APART))
  for (let left = random.whole(0, FILTERS_MAX); left > 0 && filters.length > 0; left -= 1) {
    const [name, parameter] = random.of(filters)
    query[name] = parameter.repeatable
      ? Array.from({ length: random.whole(1, 3) }, () => textFor(name, parameter, source, random))
      : textFor(name, parameter, source, random)
  }
  uncross(query)
  return { path, query }
}

/** A minimum above the maximum is not valid. */
function uncross(query: Record<string, string | string[]>): void {
  for (const [name, least] of Object.entries(query)) {
    const other = name.replace(/^min_/, 'max_')
    const most = query[other]
    if (!name.startsWith('min_') || typeof least !== 'string' || typeof most !== 'string') continue
    if (compare(decimal(least), decimal(most)) > 0) Object.assign(query, { [name]: most, [other]: least })
  }
}

function textFor(name: string, parameter: Parameter, source: Source, random: Random): string {
  const schema: Schema = (parameter.schema as Schema).items ?? (parameter.schema as Schema)
  const stem = name.replace(/^(min|max)_/, '')
  const [own, other] = [source.likely(name) ?? source.likely(stem), source.any(name) ?? source.any(stem)]
  const value = (random.chance(0.8) ? own : other) ?? null
  if (schema.enum) return anyCase(enumText(schema.enum, value, random), random)
  if (schema.type === 'boolean') return flagText(value, random)
  if (name === 'limit')
    return String(random.whole(1, Math.min(schema.maximum ?? 50, random.of([3, 30, 500]))))
  if (name === 'page') return String((schema.minimum ?? 0) + random.of([0, 0, 1, 2]))
  if (NAMES.includes(name) && typeof value === 'number') return String(value)
  if (schema.type === 'integer' || schema.type === 'number')
    return numberText(name, schema, value, parameter.example, random)
  if (schema.format === 'date') return dateText(value ?? parameter.example, random)
  if (typeof value === 'bigint') return timeBound(value, random) + positionText(name, random)
  if (/^ticker_symbols?$/.test(name))
    return tickersText(value, () => source.any(name), parameter.example, random)
  const text = random.chance(UNKNOWN) ? parameter.example : String(value ?? parameter.example)
  return name === 'search_term' ? partOf(text, random) : text
}

const enumText = (values: readonly string[], value: Value, random: Random) =>
  values.find(each => random.chance(0.85) && each.toLowerCase() === String(value).toLowerCase()) ??
  random.of(values)

const flagText = (value: Value, random: Random) =>
  (random.chance(0.8) ? (value ?? true) : random.chance(0.5))
    ? random.of(['true', 'true', '1', 'TRUE'])
    : random.of(['false', 'false', '0', 'False'])

const anyCase = (text: string, random: Random) =>
  random.chance(0.9) ? text : random.chance(0.5) ? text.toLowerCase() : text.toUpperCase()

/** A bound at a value, next to it, or around it, within the limits of the schema. */
function numberText(name: string, schema: Schema, value: Value, example: string, random: Random): string {
  const least = schema.minimum === undefined ? null : decimal(schema.minimum)
  const most = schema.maximum === undefined ? null : decimal(schema.maximum)
  const at = isDecimal(value) ? value : decimal(typeof value === 'number' ? value : example)
  const isInteger = schema.type === 'integer'
  // Mostly on the side on which the value passes.
  const side = name.startsWith('max_') === random.chance(0.8) ? decimal(1) : decimal(-1)
  const unit: Decimal = { units: 1n, scale: at.scale }
  const drawn = random.of([
    at,
    at,
    plus(at, times(side, unit)),
    plus(at, times(side, times(distance(at), decimal(random.next().toFixed(2))))),
  ])
  const whole = isInteger ? { units: drawn.units / 10n ** BigInt(drawn.scale), scale: 0 } : drawn
  const above = least !== null && compare(whole, least) < 0 ? least : whole
  const text = textOf(most !== null && compare(above, most) > 0 ? most : above)
  return isInteger || random.chance(0.8) ? text : otherNotation(text, random)
}

const distance = (value: Decimal): Decimal => (value.units < 0n ? negated(value) : value)

/** The same number as clients write it: `.5`, `5e-1`, `0.50`. */
function otherNotation(text: string, random: Random): string {
  if (random.chance(0.3)) return text.replace(/^(-?)0\./, '$1.')
  if (random.chance(0.4)) return `${text}e0`
  return text.includes('.') ? `${text}0` : text
}

/** A time as clients write it: seconds and milliseconds since 1970, with a zone, without, a day. */
function timeBound(micros: bigint, random: Random): string {
  const near =
    micros + BigInt(random.of([0, 0, 1, -1, 1_000_000, -60_000_000, 86_400_000_000, -864_000_000_000]))
  return random.of([
    timeText(near),
    timeText(near, 6).replace('Z', ''),
    timeText(near).replace('Z', '+00:00'),
    timeText(near).slice(0, 10),
    String(near / 1_000_000n),
    String(near / 1000n),
  ])
}

/** `older_than` may begin within records of one time. */
const positionText = (name: string, random: Random) =>
  name === 'older_than' && random.chance(0.3) ? `/${random.of([1, 1, 2, 3, 50])}` : ''

function dateText(value: Value, random: Random): string {
  const date = typeof value === 'bigint' ? timeText(value).slice(0, 10) : String(value)
  if (random.chance(0.9)) return date
  return new Date(Date.parse(date) + random.of([-1, 1, 7]) * 86_400_000).toISOString().slice(0, 10)
}

function tickersText(value: Value, any: () => Value | undefined, example: string, random: Random): string {
  const others = Array.from({ length: random.of([0, 0, 1, 3]) }, () => any() ?? value)
  const tickers = [value, ...others].map(each => String(each ?? example)).filter(each => TICKER.test(each))
  const list = (tickers.length === 0 ? [example] : tickers).join(random.of([',', ', ']))
  const cased = random.chance(0.2) ? list.toLowerCase() : list
  return random.chance(0.25) ? `-${cased}` : cased
}

/** Some characters of a text, from its middle. */
function partOf(text: string, random: Random): string {
  const characters = [...text]
  const start = random.whole(0, Math.max(0, characters.length - 2))
  return (
    characters
      .slice(start, start + random.whole(1, 8))
      .join('')
      .trim() || text.trim()
  )
}

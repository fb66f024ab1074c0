import type { Operation } from '../../../src/operations/answering/operation.ts'
import { compare, comparedBy, fieldOf, microsecondText } from './compared.ts'
import { Exact } from './exact.ts'
import { formulaOf } from './formulas.ts'
import type { Row } from './lakes.ts'
import { kindOf, stemOf } from './parameter-kinds.ts'

/** Whether a record passes a filter, by the values it shows. */
export type Passes = (row: Row) => boolean

/**
 * What a filter with some texts keeps; null where the records do not show it. A null never passes. In a lake that is not
 * `derived`, fewer values follow from others.
 */
export function passesOf(
  operation: Operation,
  name: string,
  texts: readonly string[],
  derived: boolean,
): Passes | null {
  const [text = ''] = texts
  const own = OWN[`${operation.id} ${name}`]
  if (own !== undefined) return own(texts)
  switch (kindOf(operation, name)) {
    case 'bound':
      return withinBound(operation, name, text, derived)
    case 'tickers':
      return ofTickers(operation, name, text)
    case 'list':
    case 'choice':
    case 'value':
      return amongValues(operation, name, texts)
    case 'flag':
      return asFlag(operation, name, text)
    default:
      return null
  }
}

/** Whether the records show what a filter compares, in a lake that was derived. */
export const isShown = (operation: Operation, name: string): boolean =>
  passesOf(operation, name, ['0'], true) !== null

function withinBound(operation: Operation, name: string, text: string, derived: boolean): Passes | null {
  const compared = comparedBy(operation, stemOf(name), derived)
  const bound = new Exact(text)
  const sign = name.startsWith('min_') ? 1 : -1
  return (
    compared &&
    (row => {
      const value = compared(row)
      return value !== null && compare(value, bound) * sign >= 0
    })
  )
}

function amongValues(operation: Operation, name: string, texts: readonly string[]): Passes | null {
  const field = fieldOf(operation, name)
  const wanted = texts.map(text => text.toLowerCase())
  const has = (value: unknown) =>
    value !== null && value !== '' && wanted.includes(String(value).toLowerCase())
  return (
    field &&
    (row => {
      const shown = row[field.name]
      return Array.isArray(shown) ? shown.some(has) : has(shown)
    })
  )
}

function ofTickers(operation: Operation, name: string, text: string): Passes | null {
  const field = fieldOf(operation, name)
  const tickers = text.replace(/^-/, '').toUpperCase().split(',')
  const excludes = text.startsWith('-')
  return field && (row => row[field.name] !== null && tickers.includes(String(row[field.name])) !== excludes)
}

/** A flag that is a field of the record; false keeps the others. */
function asFlag(operation: Operation, name: string, text: string): Passes | null {
  const field = fieldOf(operation, name)
  return field?.type === 'boolean' ? row => row[field.name] === (text === 'true') : null
}

const above = (one: unknown, other: unknown): boolean =>
  one !== null && other !== null && new Exact(String(one)).gt(String(other))
/** A flag that is a condition on fields; false filters nothing. */
const only =
  (condition: Passes) =>
  ([text]: readonly string[]): Passes =>
    text === 'true' ? condition : () => true
/** A flag that is a condition on fields; false keeps what does not meet it. */
const either =
  (condition: Passes) =>
  ([text]: readonly string[]): Passes =>
  row =>
    condition(row) === (text === 'true')
const sign = (operation: string, stem: string, row: Row) =>
  Number(formulaOf(operation, stem)?.of(row) ?? Number.NaN)
const day = (ts: unknown) => microsecondText(String(ts)).slice(0, 10)

/** Whether a text contains a part, in any case; a null never does. */
const contains = (text: unknown, part: string): boolean =>
  text !== null && String(text).toLowerCase().includes(part.trim().toLowerCase())

/** Filters that no single field shows, by the specification and the decisions. */
const OWN: Readonly<Record<string, (texts: readonly string[]) => Passes>> = {
  'screener-option-contracts is_otm': only(row => sign('screener-option-contracts', 'diff', row) > 0),
  'screener-option-contracts is_itm': only(row => sign('screener-option-contracts', 'diff', row) < 0),
  'screener-option-contracts vol_greater_oi': only(row => above(row.volume, row.open_interest)),
  'flow-alerts vol_greater_oi': only(row => above(row.volume, row.open_interest)),
  'flow-alerts size_greater_oi': only(row => above(row.total_size, row.open_interest)),
  'flow-alerts is_call': either(row => row.type === 'call'),
  'flow-alerts is_put': either(row => row.type === 'put'),
  'flow-alerts is_ask_side': either(row => above(row.total_ask_side_prem, row.total_bid_side_prem)),
  'flow-alerts is_bid_side': either(row => above(row.total_bid_side_prem, row.total_ask_side_prem)),
  'contract-flow side': ([side = '']) =>
    side.toUpperCase() === 'ALL' ? () => true : row => Number(row[`${side.toLowerCase()}_vol`]) > 0,
  'option-stance type':
    ([type = '']) =>
    row =>
      `${row.option_type}s` === type.toLowerCase(),
  'institutions tags[]': tags => row =>
    tags.includes('all') || (row.tags as string[]).some(tag => tags.includes(tag)),
  'institutions name':
    ([name = '']) =>
    row =>
      contains(row.name, name) || String(row.cik).replace(/^0+/, '') === name.replace(/^0+/, ''),
  'potus-posts search_term':
    ([term = '']) =>
    row =>
      contains(row.post, term),
  'congress-late-reports date':
    ([date = '']) =>
    row =>
      String(row.filed_at_date) <= date,
  'crypto-ohlc date':
    ([date = '']) =>
    row =>
      day(row.start_time) <= date,
}

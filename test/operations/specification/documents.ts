import { existsSync, readFileSync } from 'node:fs'

/** The specification and the decisions in `../shared`, parsed into the fields of each answer. */

const folder = new URL('../../../../shared/spec/', import.meta.url)
export const present = existsSync(folder)
const textOf = (name: string) => (present ? readFileSync(new URL(name, folder), 'utf8') : '')
const specification = textOf('market-data-read-api.md')
const decisions = textOf('decisions.md')

export interface SpecifiedField {
  readonly name: string
  /** In the notation of the tables of fields; undefined where the documents only have the name. */
  readonly type: string | undefined
  readonly nullable: boolean
}

/** The first group of the pattern in a text. Throws if there is none: the wording of a document has changed. */
function found(text: string, pattern: RegExp): string {
  const [, group] = pattern.exec(text) ?? []
  if (group === undefined) throw new Error(`nothing in ../shared/spec fits ${pattern}`)
  return group
}

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^(all )?string\(dec\)/, 'string(dec)'],
  [/^string \(UUID\)/, 'string(UUID)'],
  [/^string (\(URL\)|URL)/, 'string(URL)'],
  [/^array of string URLs/, 'array of string(URL)'],
  [/^array of string/, 'array of string'],
  [/^array of integer/, 'array of integer'],
  [/^arrays? of/, 'array of object'],
  [/^ts (with microseconds|\(microsecond)/, 'ts(us)'],
  [/^ts with milliseconds/, 'ts(ms)'],
  [/^ts\b/, 'ts'],
  [/^(array|object|boolean|date|integer|number|string)\b/, ''],
  [/^OSI string/, 'string'],
]

function fieldOf(name: string, text: string | undefined): SpecifiedField {
  const [match, type] =
    TYPES.map(
      ([pattern, is]) => [pattern.exec(text ?? '')?.[1], pattern.test(text ?? '') ? is : null] as const,
    ).find(([, is]) => is !== null) ?? []
  if (text !== undefined && type === undefined) throw new Error(`${name}: no type is known as "${text}"`)
  return { name, type: type === '' ? match : (type ?? undefined), nullable: / or null\b/.test(text ?? '') }
}

/** Splits at commas, semicolons and "and" outside of brackets. */
export function split(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const piece of text.split(/([(){}[\]]|, |; | and )/)) {
    if (/^[({[]$/.test(piece)) depth++
    if (/^[)}\]]$/.test(piece)) depth--
    if (depth === 0 && /^(, |; | and )$/.test(piece)) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts.map(part => part.trim()).filter(part => part !== '')
}

/** `a (date), b, c (all string(dec))`: a name without a type has that of the next one with "all" or a plural. */
function listed(text: string, rest?: string): SpecifiedField[] {
  const fields = split(text).map(item => /^`?\{?(\w+)[^(]*?(?: \((.*)\))?$/s.exec(item))
  let shared = rest
  return fields
    .toReversed()
    .map(match => {
      const [, name = '', type] = match ?? []
      if (type !== undefined) shared = /^(all|arrays) /.test(type) ? type : rest
      return fieldOf(name, type ?? shared)
    })
    .toReversed()
}

/** Names without the explanations in brackets after them. */
const names = (text: string): SpecifiedField[] =>
  split(text).map(item => fieldOf(found(item, /^`?(\w+)/), undefined))

/** The table that follows a line of the specification: `| names | type | … |`. */
function tabled(heading: string): SpecifiedField[] {
  const start = specification.indexOf(`\n${heading}`)
  const rows = found(specification.slice(start), /^\n[^\n]*\n\n((?:\|[^\n]*\n)+)/)
  return rows
    .trim()
    .split('\n')
    .slice(2)
    .flatMap(line => {
      const [, cell = '', type = ''] =
        line.split(' | ').length > 1 ? (/^\| (.*?) \| (.*?) \|/.exec(line) ?? []) : []
      const [, ...also] = /also listed under the names (\w+) and (\w+)/.exec(type) ?? []
      return [...cell.split(', '), ...also].map(name => fieldOf(name, type))
    })
}

const inline = (pattern: RegExp, rest?: string) => listed(found(specification, pattern), rest)
const decided = (pattern: RegExp) => names(found(decisions, pattern))

const side = (prefix: string) =>
  inline(/put_ prefixes: (.*)\.$/m).map(field => ({ ...field, name: `${prefix}${field.name}` }))
const congress = () => tabled('**CongressTradeRecord**')

/** Types and names from the specification, and names from the decisions, in their order. */
interface Source {
  readonly specified?: () => readonly SpecifiedField[]
  readonly decided?: () => readonly SpecifiedField[]
}

/** Where the documents describe each part of each answer. Containers called `data` are the envelope, not fields. */
const SOURCES: Readonly<Record<string, Readonly<Record<string, Source>>>> = {
  'screener-option-contracts': {
    'data[]': { decided: () => decided(/\*\*1 screener\.\*\* Record: (.*?)\. Counts/s) },
  },
  'institution-holdings': { 'data[]': { specified: () => tabled('**InstitutionHolding**') } },
  alerts: { 'data[]': { specified: () => tabled('**Alert**') } },
  'contract-volume-profile': { 'data[]': { specified: () => tabled('**OptionVolumeProfileRow**') } },
  'volume-oi-expiry': { 'data[]': { specified: () => inline(/\*\*VolumeOiExpiryRow\*\*: (.*)\.$/m) } },
  'congress-politicians': { 'data[]': { specified: congress } },
  'institution-sectors': { 'data[]': { specified: () => inline(/\*\*InstitutionSectorRow\*\*: (.*)\.$/m) } },
  'analytics-window': {
    data: { specified: () => inline(/\*\*AnalyticsWindow\*\* \(`data` object\): (.*?)\. Inner/) },
    'data.meta': { decided: () => decided(/- `meta`: (.*?)\. `payload`/) },
    'data.payload': { decided: () => decided(/`payload`: `\{(\w+): /) },
  },
  'congress-late-reports': { 'data[]': { specified: congress } },
  'etf-info': { data: { specified: () => tabled('**EtfInfo**') } },
  'option-stance': {
    '': { specified: () => inline(/\*\*OptionStanceResponse\*\*.*?: (.*?)\. A scored/) },
    context: { specified: () => inline(/context \(object with (.*?), all numbers\)/, 'number') },
    'data[]': {
      specified: () => inline(/A scored contract has at least (.*?); further/),
      decided: () => decided(/Scored contract: (.*?); numeric fields/),
    },
    'data[].components': { decided: () => decided(/components \{(.*?)\} each/) },
    'data[].rank_metric': { decided: () => decided(/rank_metric \{(.*?)\}/) },
  },
  'insider-buy-sells': { 'data[]': { specified: () => inline(/\*\*InsiderBuySellDay\*\*: (.*)\.$/m) } },
  'crypto-ohlc': { 'data[]': { specified: () => inline(/\*\*CryptoCandle\*\*: (.*)\.$/m) } },
  insiders: { 'data[]': { specified: () => inline(/\*\*Insider\*\*: (.*)\.$/m) } },
  'oi-per-expiry': { 'data[]': { specified: () => inline(/\*\*OiPerExpiryRow\*\*: (.*)\.$/m) } },
  economy: {
    data: { specified: () => inline(/\*\*EconomySeries\*\* \(`data` object\): (.*?)\. Fields/) },
    'data.data[]': { decided: () => decided(/\*\*16 economy\.\*\* Point: (.*?), newest first/) },
  },
  'darkpool-price-levels': {
    '': { specified: () => inline(/\*\*DarkpoolPriceLevels\*\* \(top level\): (.*?)\. A level/) },
    'data[]': { specified: () => inline(/A level has (.*?)\.$/m) },
  },
  'prediction-insiders': {
    data: { specified: () => inline(/\*\*PredictionInsiders\*\* \(`data` object\): (.*)\.$/m) },
    'data.data[]': { specified: () => tabled('Prediction insider position:') },
    'data.tag_info[]': { specified: () => inline(/array of objects with (.*?)\)\.$/m) },
  },
  'contract-flow': { 'data[]': { specified: () => tabled('**OptionTradeFlowRecord**') } },
  greeks: {
    'data[]': {
      specified: () => [
        ...inline(/\*\*GreeksRow\*\* \(one per strike\): (.*?); for each/),
        ...side('call_'),
        ...side('put_'),
      ],
    },
  },
  'fec-companies': {
    '': {
      specified: () =>
        split(found(specification, /`\{(cycle: integer, data: \[FecCompany\].*?)\}`/)).map(item =>
          fieldOf(found(item, /^(\w+)/), item.includes('[') ? 'array of records' : found(item, /: (\w+)/)),
        ),
    },
    'data[]': { specified: () => inline(/\*\*FecCompany\*\*: (.*)\.$/m) },
  },
  'potus-posts': { 'data[]': { specified: () => inline(/\*\*PotusPost\*\*: (.*)\.$/m) } },
  'flow-alerts': { 'data[]': { specified: () => tabled('**FlowAlert**') } },
  institutions: { 'data[]': { specified: () => tabled('**Institution** (list element)') } },
  'etf-holdings': { 'data[]': { specified: () => tabled('**EtfHolding**') } },
  'cash-flows': {
    'data[]': {
      specified: () =>
        inline(/\*\*CashFlowStatement\*\* \(all values strings\): (.*?)\. Further/, 'string(dec)'),
      decided: () => decided(/\*\*26\.\*\*.*? Also (.*?)\. Outflows/),
    },
  },
  'multi-leg-legs': { 'data[]': { specified: () => tabled('**MultiLegLeg**') } },
  'prediction-liquidity': {
    data: { specified: () => inline(/\*\*PredictionLiquidity\*\* \(`data` object\): (.*?)\. Fields/) },
    'data.bids[]': { decided: () => decided(/\*\*28\.\*\* Levels \{(.*?)\}/) },
    'data.asks[]': { decided: () => decided(/\*\*28\.\*\* Levels \{(.*?)\}/) },
  },
  'forex-rate': { data: { specified: () => inline(/\*\*FxRate\*\* \(`data` object\): (.*)\.$/m) } },
}

/**
 * The fields of each part of an operation's answer. Those of the specification are first; where the decisions list
 * all of them, the order is theirs.
 */
export function specifiedAnswer(id: string): ReadonlyMap<string, readonly SpecifiedField[]> {
  return new Map(
    Object.entries(SOURCES[id] ?? {}).map(([at, source]) => {
      const specified = (source.specified?.() ?? []).filter(({ name }) => name !== 'data')
      const further = source.decided?.() ?? []
      const typed = new Map(specified.map(field => [field.name, field]))
      const all = specified.every(({ name }) => further.some(each => each.name === name))
      const fields = all
        ? further.map(each => typed.get(each.name) ?? each)
        : [...specified, ...further.filter(each => !typed.has(each.name))]
      return [at, fields]
    }),
  )
}

/** The ids of all operations, by their number. */
export const specifiedIds = () =>
  [...found(decisions, /grant patterns:\n(.*)/).matchAll(/\d+ ([a-z-]+)/g)].map(([, id]) => id)

/** An operation's section of the specification's endpoints. */
export function endpoint(number: number): string {
  const start = specification.indexOf(`\n### ${number}. `)
  return specification.slice(start, specification.indexOf('\n##', start + 5))
}

/** The paragraph of the decisions on an operation; empty where there is none. */
export const decisionsOn = (number: number): string =>
  new RegExp(`^\\*\\*(?:\\d+, )*${number}\\b.*$`, 'm').exec(decisions)?.[0] ?? ''

/** Fields of the streaming message ChainFrag; the decisions add the 33rd. */
export const chainFragNames = () => [
  ...[...specification.matchAll(/^\| \d+ \| (\w+) \|/gm)].map(([, name]) => name),
  found(decisions, /fields 1-32 as given, 33 (\w+)/),
]

/** The rows of the table of shared enumerations: name, and text of the values. */
function enumerationRows(): [name: string, values: string][] {
  const section = found(specification, /^### Shared enumerations[^\n]*\n([\s\S]*?)^Which streaming messages/m)
  return [...section.matchAll(/^\| ([A-Za-z.]+)(?: \([^|]*\))? \| ([^|]+) \|$/gm)]
    .map(([, name = '', values = '']): [string, string] => [name, values])
    .filter(([name]) => name !== 'Enumeration')
}

const VALUE = /([A-Za-z0-9_]+)=(\d+)(?: \(([^)]*)\))?/g

/** A name with the prefix that its enumeration has on the wire. */
function wireName(name: string, values: string): string {
  const [, prefix = ''] = /carries the prefix `(\w+)` on the wire/.exec(values) ?? []
  return name.startsWith(prefix) ? name : `${prefix}${name}`
}

/** Every shared enumeration: numbers by name on the wire. */
export function specifiedEnumerations(): Record<string, Record<string, number>> {
  return Object.fromEntries(
    enumerationRows().map(([name, values]) => [
      name,
      Object.fromEntries(
        [...values.matchAll(VALUE)].map(([, value = '', number]) => [
          wireName(value, values),
          Number(number),
        ]),
      ),
    ]),
  )
}

/** The notes of the table on single values of an enumeration. */
export function enumerationNotes() {
  const notesOf = (name: string) =>
    [...(enumerationRows().find(([each]) => each === name)?.[1] ?? '').matchAll(VALUE)].map(
      ([, value = '', , note = '']) => [value, note] as const,
    )
  return {
    sentinels: (name: string) =>
      notesOf(name).flatMap(([value, note]) => (/sentinel/.test(note) ? [value] : [])),
    deprecated: (name: string) =>
      notesOf(name).flatMap(([value, note]) => {
        const [, successor] = /deprecated, folded into (\w+)/.exec(note) ?? []
        return successor ? [[value, successor]] : []
      }),
  }
}

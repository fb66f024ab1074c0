import { decisionsOn, endpoint, split } from './documents.ts'

/**
 * The parameters of an operation in the specification's own text: tables of names, and lists such as `date; limit (…)`.
 */

const NAME = /^`?([a-z]\w*(?:\[\])?)`?(?: \(([\s\S]*)\))?$/

/** Names with the text about each; an empty text for a name without one. */
export function statementsOf(number: number): ReadonlyMap<string, string> {
  const section = endpoint(number)
  return new Map([...listed(section), ...tabled(section), ...stems(section), ...decided(number)])
}

/** `Path: a (…). Query (optional): b; c and d (…). Response: …` */
function listed(section: string): [string, string][] {
  const lists = [...section.matchAll(/\b(?:Path|Query)(?: \([^)]*\))?: (\S.*?)\.(?= [A-Z]|$)/gm)]
  return lists.flatMap(([, list = '']) => {
    const items = split(list).map(item => NAME.exec(item))
    const strange = items.indexOf(null)
    if (strange >= 0) throw new Error(`${list}: item ${strange + 1} is not a parameter`)
    return items.map((match, index): [string, string] => [
      match?.[1] ?? '',
      // "newer_than and older_than (string: …)" and "a, b, c (numbers)": the text is about all of them.
      match?.[2] ?? items.slice(index).find(next => /^(string: |numbers)/.test(next?.[2] ?? ''))?.[2] ?? '',
    ])
  })
}

/** Rows `| a, b | type | notes |`. */
function tabled(section: string): [string, string][] {
  const [first = ''] = section.split('| Name stem |')
  return rowsOf(first)
}

/** Rows of the table of stems, each of which exists as `min_` and `max_`. */
function stems(section: string): [string, string][] {
  const [, second = ''] = section.split('| Name stem |')
  return rowsOf(second).flatMap(([name, text]): [string, string][] => [
    [`min_${name}`, text],
    [`max_${name}`, text],
  ])
}

const rowsOf = (table: string): [string, string][] =>
  [...table.matchAll(/^\| ([a-z][^|]*) \| (.*) \|$/gm)].flatMap(([, names = '', text = '']) =>
    names.split(', ').map((name): [string, string] => [name, text]),
  )

/** "Also takes `limit` (1-250, default 50), `page`, …" of the decisions. */
function decided(number: number): [string, string][] {
  const [, list = ''] = /Also takes ((?:`\w+`(?: \([^)]*\))?(?:, )?)+)/.exec(decisionsOn(number)) ?? []
  return [...list.matchAll(/`(\w+)`(?: \(([^)]*)\))?/g)].map(([, name = '', text = '']) => [
    name,
    text.replace(/^(\d+)-(\d+)/, '$1 to $2'),
  ])
}

/** What a text states of a parameter, in the notation of the table of facts. */
export function factsIn(text: string): string[] {
  const [, type] = /^(?:string, |required, |optional, )*(boolean|integer(?! Unix)|date)\b/.exec(text) ?? []
  const [, values] = /enum: ([^;)|]*?)(?:;| \||$)/.exec(text) ?? []
  const [, least, most] = /(-?[\d.]+|-inf) to ([+-]?[\d.]+|\+inf)/.exec(text) ?? []
  const [, from] = />= (\d+)|(?:from|starts at) (\d+)/.exec(text)?.filter(group => group !== undefined) ?? []
  const [, atMost] = /\bmax (\d+)/.exec(text) ?? []
  // The decisions overrule a default that is only "documented"; a default in words is not a value.
  const [, standard] = /(?<!documented )default (?!last|current)(\w+)/.exec(text) ?? []
  return [
    ...(type ? [type] : []),
    ...(values ? [values.trim().split(', ').join('|')] : []),
    ...[least, from].flatMap(bound => (bound && bound !== '-inf' ? [`>=${Number(bound)}`] : [])),
    ...[most, atMost].flatMap(bound => (bound && bound !== '+inf' ? [`<=${Number(bound)}`] : [])),
    ...(standard ? [`=${standard}`] : []),
    ...(/\brequired\b/.test(text) ? ['!'] : []),
  ]
}

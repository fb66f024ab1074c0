import { columnTable } from '../terminal/columns.ts'
import { printableStart } from '../terminal/printable.ts'
import { count, counted } from '../terminal/terminal.ts'
import type { Compared, Found } from './compare.ts'
import { KINDS } from './differences.ts'

/** A comparison as text or JSON. Every text from a recording or a server passes `printableStart`. */

const SHOWN_MAX = 12
const VALUE_CHARACTERS_MAX = 60
const ADDRESS_CHARACTERS_MAX = 200
const NO_OPERATION = '(no operation)'

export function comparisonText(compared: readonly Compared[], width: number): string {
  const column = (name: string, of: (each: Compared) => number) => ({
    name,
    cells: compared.map(each => count(of(each))),
    align: 'right' as const,
  })
  const table = columnTable(
    [
      { name: 'operation', cells: compared.map(({ operation }) => operation ?? NO_OPERATION), align: 'left' },
      column('requests', ({ requests }) => requests),
      column('equal', ({ equal }) => equal),
      ...KINDS.map(kind => column(kind, ({ counts }) => counts[kind])),
    ],
    width,
  )
  return [table, ...compared.filter(({ differences }) => differences.length > 0).map(detailsOf)].join('\n')
}

function detailsOf({ operation, differences, more }: Compared): string {
  const lines = differences.slice(0, SHOWN_MAX).map(each => `  ${lineOf(shown(each))}\n`)
  const left = differences.length - lines.length
  const rest =
    left > 0 || more
      ? [`  and ${more ? 'at least ' : ''}${counted(left, 'more difference')}: see --json\n`]
      : []
  return [`${operation ?? NO_OPERATION}\n`, ...lines, ...rest].join('')
}

const lineOf = ({ kind, at, recorded, server, requests, first }: Found) =>
  `${kind}${at === '' ? '' : ` ${at}`}: recorded ${recorded}, server ${server} (${counted(requests, 'request')}, first ${first})`

/** A difference with texts that are safe to print. */
const shown = (found: Found): Found => ({
  ...found,
  at: printableStart(found.at, ADDRESS_CHARACTERS_MAX),
  recorded: printableStart(found.recorded, VALUE_CHARACTERS_MAX),
  server: printableStart(found.server, VALUE_CHARACTERS_MAX),
  first: printableStart(found.first, ADDRESS_CHARACTERS_MAX),
})

/** The document of a comparison, with a line per operation. */
export function comparisonJson(compared: readonly Compared[], skipped: number): string {
  const operations = compared.map(each => ({ ...each, differences: each.differences.map(shown) }))
  const isEqual = compared.every(({ requests, equal }) => requests === equal)
  return `{"equal":${isEqual},"skipped":${skipped},"operations":[${operations.map(each => `\n${JSON.stringify(each)}`).join(',')}\n]}\n`
}

import type { Enumeration } from '../../market/enumeration.ts'
import { ENUMERATIONS } from '../../market/enumerations.ts'
import { MADE, page, table } from './markdown.ts'

/** `docs/enumerations.md`: every shared enumeration with its names, wire values and texts. */
export function enumerationsPage(): string {
  return page(
    '# Enumerations',
    MADE,
    'Names and numbers are those of the streaming messages. Answers and filters of the HTTP API write a value by the text in the third column, and by its name where there is none.',
    ...Object.entries(ENUMERATIONS).flatMap(([name, enumeration]) => [
      `## ${name}`,
      `${enumeration.about}.`,
      table(['Name', 'Number', 'Text', 'Meaning'], rowsOf(enumeration)),
    ]),
  )
}

function rowsOf({ values, meanings, sentinels, deprecated, prefix = '', shown }: Enumeration): string[][] {
  return Object.entries(values).map(([name, number]) => [
    `\`${prefix}${name}\``,
    String(number),
    shown?.[name] ? `\`${shown[name]}\`` : '',
    [
      meanings?.[name],
      sentinels?.includes(name) ? 'a sentinel' : undefined,
      deprecated?.[name] ? `deprecated: \`${prefix}${deprecated[name]}\` took its place` : undefined,
    ]
      .filter(part => part !== undefined)
      .join('; '),
  ])
}

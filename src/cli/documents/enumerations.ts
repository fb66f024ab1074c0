import type { Enumeration } from '../../market/enumeration.ts'
import { ENUMERATIONS } from '../../market/enumerations.ts'
import { MADE, page, table } from './markdown.ts'

/** `docs/enumerations.md`: every shared enumeration with its names, numbers and texts. */
export function enumerationsPage(): string {
  return page(
    '# Enumerations',
    MADE,
    'Streaming messages use the names and numbers. Responses and filters of the HTTP API use the text or, if a value has none, the name.',
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
      deprecated?.[name] ? `deprecated: use \`${prefix}${deprecated[name]}\`` : undefined,
    ]
      .filter(part => part !== undefined)
      .join('; '),
  ])
}

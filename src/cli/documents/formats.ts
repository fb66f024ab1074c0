import type { ImportFormat, Source } from '../../lake/import/format/format.ts'
import { listFormats } from '../../lake/import/format/formats.ts'
import { columnHelp, exampleLines } from '../help/format.ts'
import { MADE, page, table } from './markdown.ts'

/** `docs/formats/`: a page for each format of files, and one that lists them. */
export function formatPages(): [path: string, content: string][] {
  const formats = listFormats()
  return [
    ['docs/formats/README.md', listPage(formats)],
    ...formats.map((format): [string, string] => [`docs/formats/${format.name}.md`, formatPage(format)]),
  ]
}

function listPage(formats: readonly ImportFormat[]): string {
  return page(
    '# Formats of files',
    MADE,
    'What `tapehouse import <format> <file-or-folder…>` takes, besides csv, ndjson and parquet files with the columns of a [dataset](../datasets.md). `tapehouse import --list` and `tapehouse import <format> --help` say the same.',
    table(
      ['Format', 'Imports', 'Fills', 'Comes from'],
      formats.map(({ name, summary, mappings, addresses }) => [
        `[${name}](${name}.md)`,
        summary,
        mappings.map(({ dataset }) => dataset.name).join(', '),
        addresses.map(linked).join(', '),
      ]),
    ),
    '## What holds for all',
    [
      '- A file is told by what it begins with, whatever it is called; in a folder, by its ending too. Text may be packed (`.gz`, `.zst`), not in archives: unpack those first.',
      '- CSV has commas, semicolons, tabs or bars, quotes as in RFC 4180 (none with bars), a byte order mark or none, and up to 50 lines before its header. Rows with too few or too many fields, broken quotes, binary or undecodable bytes are rejected.',
      '- JSON is one object, an array of them, or one a line; of an array, `line` in the rejects counts its elements. Numbers of more than 17 digits belong into strings.',
      '- XML is read strictly: no document type, so no entities of its own; at most 64 elements deep and 256 MiB. A full submission of EDGAR gives each of its XML documents.',
      '- A rejected row stands in `<lake>/rejects/<import>.csv` with file, line, column, reason and value. A file of which more than half the rows are rejected is refused, and with it the import.',
      '- The same files again change nothing; rows with the key of a row that the lake holds replace it.',
    ].join('\n'),
  )
}

const linked = (address: string) => (/^https:\/\/\S+$/.test(address) ? `<${address}>` : address)

function formatPage(format: ImportFormat): string {
  const { name, summary, mappings, addresses, expects, options, rejects, keeps, reads } = format
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}`, lines.map(line => `- ${line}`).join('\n')]
  return page(
    `# ${name}`,
    MADE,
    `Imports ${summary}. Fills ${mappings.map(({ dataset }) => `\`${dataset.name}\``).join(', ')}.`,
    `\`\`\`sh\n${exampleLines(format).join('\n')}\n\`\`\``,
    ...list('Source', addresses.map(linked)),
    ...list('Expects', expects),
    ...format.sources.flatMap(sourceSection),
    ...(options.length === 0
      ? []
      : [
          '## Flags',
          table(
            ['Flag', 'Meaning'],
            options.map(option => [`\`--${option.name}\``, option.meaning]),
          ),
        ]),
    ...list('Rejected', rejects),
    ...list('Kept without what does not fit, and counted', keeps),
    ...(reads.length === 0
      ? []
      : [
          `What the lake holds of ${reads.map(each => `\`${each.name}\``).join(', ')} is taken into account.`,
        ]),
  )
}

function sourceSection(source: Source): string[] {
  const { name, kinds, columns, members, hasHeader } = source
  const title = `## ${name}: ${kinds.join(', ')}${hasHeader ? '' : ' without a header'}`
  if (columns.length > 0)
    return [
      title,
      table(
        ['Column', 'Must be there', 'In files, and how it maps'],
        columns.map(column => [
          `\`${column.name}\``,
          column.required ? 'yes' : 'no',
          columnHelp({ ...column, required: true }, hasHeader),
        ]),
      ),
    ]
  return members.length === 0
    ? [title]
    : [
        title,
        table(
          ['Member', 'How it maps'],
          members.map(({ path, meaning }) => [`\`${path}\``, meaning]),
        ),
      ]
}

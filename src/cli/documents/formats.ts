import type { ImportFormat, Source } from '../../lake/import/format/format.ts'
import { listFormats } from '../../lake/import/format/formats.ts'
import { columnHelp, exampleLines } from '../help/format.ts'
import { MADE, page, table } from './markdown.ts'

/** `docs/formats/`: one page per file format, and a list of them. */
export function formatPages(): [path: string, content: string][] {
  const formats = listFormats()
  return [
    ['docs/formats/README.md', listPage(formats)],
    ...formats.map((format): [string, string] => [`docs/formats/${format.name}.md`, formatPage(format)]),
  ]
}

function listPage(formats: readonly ImportFormat[]): string {
  return page(
    '# File formats',
    MADE,
    'The formats that `tapehouse import <format> <file-or-folder…>` reads, besides csv, ndjson and parquet files with the columns of a [dataset](../datasets.md). `tapehouse import --list` and `tapehouse import <format> --help` print the same.',
    table(
      ['Format', 'Imports', 'Datasets', 'Source'],
      formats.map(({ name, summary, mappings, addresses }) => [
        `[${name}](${name}.md)`,
        summary,
        mappings.map(({ dataset }) => dataset.name).join(', '),
        addresses.map(linked).join(', '),
      ]),
    ),
    '## All formats',
    [
      '- A file is recognised by content, whatever its name; in a folder, also by its extension. Text may be compressed (`.gz`, `.zst`). Extract archives first.',
      '- CSV is separated by commas, semicolons, tabs or bars. Quotes are as in RFC 4180 (none with bars). A byte order mark and up to 50 lines before the header are allowed. Rows with too few or too many fields, broken quotes, binary or undecodable bytes are rejected.',
      '- JSON is one object, an array of objects, or one object per line. For an array, `line` in the rejects is the number of the element. Numbers of more than 17 digits must be strings.',
      '- XML is read strictly: no document type and therefore no custom entities, at most 64 levels of elements and 256 MiB. A full submission of EDGAR is read as its XML documents.',
      '- Rejected rows are written to `<lake>/rejects/<import>.csv` with file, line, column, reason and value. If more than half of the rows of a file are rejected, the whole import is rejected.',
      '- Importing the same files again changes nothing. A new row replaces a row with the same key.',
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
    `Imports ${summary}. Datasets: ${mappings.map(({ dataset }) => `\`${dataset.name}\``).join(', ')}.`,
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
    ...list('Values omitted from imported rows, and counted', keeps),
    ...(reads.length === 0
      ? []
      : [
          `The import also reads these datasets of the lake: ${reads.map(each => `\`${each.name}\``).join(', ')}.`,
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
        ['Column', 'Required', 'Names in files, and meaning'],
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
          ['Member', 'Meaning'],
          members.map(({ path, meaning }) => [`\`${path}\``, meaning]),
        ),
      ]
}

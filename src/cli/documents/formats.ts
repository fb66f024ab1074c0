import type { ImportFormat, Source } from '../../lake/import/format/format.ts'
import { listFormats } from '../../lake/import/format/formats.ts'
import { ARCHIVE_LIMITS } from '../../lake/import/input/archives.ts'
import { columnHelp, exampleLines, needsOf } from '../help/format.ts'
import { layoutList, layoutPages } from './layouts.ts'
import { MADE, page, table } from './markdown.ts'

/** `docs/formats/`: one page per import format, and a list of them. */
export function formatPages(): [path: string, content: string][] {
  const formats = listFormats()
  return [
    ['docs/formats/README.md', listPage(formats)],
    ...formats.map((format): [string, string] => [`docs/formats/${format.name}.md`, formatPage(format)]),
    ...formats.flatMap(layoutPages),
  ]
}

function listPage(formats: readonly ImportFormat[]): string {
  return page(
    '# Import formats',
    MADE,
    'The formats that `tapehouse import <format> <file-or-folder…>` reads. It also reads csv, ndjson and parquet files with the columns of a [dataset](../datasets.md). `tapehouse import --list` prints this list, and `tapehouse import <format> --help` the page of a format. A file that no format recognises is imported with a [layout](../layouts.md).',
    table(
      ['Format', 'Contents', 'Datasets', 'Source'],
      formats.map(({ name, summary, mappings, addresses }) => [
        `[${name}](${name}.md)`,
        summary,
        mappings.map(({ dataset }) => dataset.name).join(', '),
        addresses.map(linked).join(', '),
      ]),
    ),
    '## Rules for all formats',
    [
      "- A file, a folder, a pattern in quotes such as `'data/*.csv'`, or `-` for standard input. Files are recognised by content, not by name; in a folder or archive, the extension must match too. Read-mes, licences and hidden files are left out.",
      '- Text may be compressed (`.gz`, `.zst`).',
      `- The members of an archive (\`.zip\`, \`.tar\`, \`.tar.gz\`) are files of their own, named \`archive.zip/member.csv\`: the same member in another archive is imported once. An archive may contain archives, which may not. It may have ${ARCHIVE_LIMITS.members} members and unpack to ${ARCHIVE_LIMITS.ratio} times its size; the archives of an import may unpack to ${ARCHIVE_LIMITS.bytes / 2 ** 30} GiB in the system's temporary folder. One that is damaged, has a password, or has a member whose path leads out of it is refused.`,
      '- Workbooks (`.xlsx`) are read where CSV is: the sheet of `--sheet`, otherwise the first visible one in which a header is found. `line` in the rejects file is the number of the row. Dates become 2024-01-31, percentages 7.25%, other numbers plain decimals without rounding; the value of merged cells is in the first of them; line breaks in cells become spaces. Old workbooks (`.xls`) must be saved as `.xlsx` or CSV.',
      '- CSV may be separated by commas, semicolons, tabs or bars, with quotes as in RFC 4180 (except with bars). It may have a byte order mark, and up to 50 lines before its header. Rows with too few or too many fields, broken quotes, binary data or undecodable bytes are rejected.',
      '- JSON may be one object, an array of objects, one object per line, or any of these within another object, such as `{"count": 2, "data": [{…}, {…}]}`, if only one of its members has rows of the format. Except for lines, `line` in the rejects file counts the objects. Numbers keep all their digits. Files of any size are read; one object may have 256 MiB if the format reads nested records, otherwise 1 MiB.',
      '- XML must be well-formed, without a document type, at most 64 elements deep and at most 256 MiB. All XML documents of a full EDGAR submission are read.',
      '- Rejected rows are listed in `<lake>/rejects/<import>.csv` with file, line, column, reason and value. Files with the whole rows, in the layout of their source, are in `<lake>/rejects/<import>/`: correct the rows and import these files. They have two more columns or members, `reject_line` and `reject_reason`, which an import ignores. Of CSV, a file has the lines above the rows too; without a header it has no more columns. Of JSON, the rows are lines of objects, and in a layout a document of its shape; of Parquet and of workbooks CSV. Of XML, and of JSON whose rows are not objects of their own (columns, rows at several paths), there are none: the list has their place. At most 100,000 rows and 64 MiB of an import are copied. If more than half of the rows of a file are rejected, the import fails and changes nothing.',
      '- Importing the same files again changes nothing. A row replaces the row in the lake with the same key.',
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
    ...list('Input', expects),
    ...format.sources.flatMap(sourceSection),
    ...layoutList(format),
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
    ...list('Accepted with a warning', keeps),
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
        ['Column', 'Required', 'Names in files, and mapping'],
        columns.map(column => [
          `\`${column.name}\``,
          column.required ? 'yes' : 'no',
          columnHelp({ ...column, required: true }, hasHeader),
        ]),
      ),
      ...needsOf(source),
    ]
  return members.length === 0
    ? [title]
    : [
        title,
        table(
          ['Member', 'Mapping'],
          members.map(({ path, meaning }) => [`\`${path}\``, meaning]),
        ),
      ]
}

import type { ImportFormat, RawColumn, Source } from '../../lake/import/format/format.ts'
import { table, wrap } from './text.ts'

/** A list of file formats, each with its datasets and the sources of its files. */
export function formatList(formats: readonly ImportFormat[]): string {
  const entries = formats.map(({ name, summary, mappings, addresses }) => {
    const names = mappings.map(({ dataset }) => dataset.name).join(', ')
    return `${name}\n${[`${summary}.`, `Datasets: ${names}.`, ...addresses].map(line => wrap(line, '  ')).join('\n')}`
  })
  return `${entries.join('\n\n')}\n\nRun tapehouse import <format> --help for the columns of a format and the rows that it rejects.\n`
}

/** The help of a format, from the header of its SQL file. */
export function formatHelp(format: ImportFormat): string {
  const { name, summary, mappings, addresses, expects, options, rejects, keeps } = format
  const usage = [
    `tapehouse import ${name} <file-or-folder…>`,
    ...options.map(option => `[--${option.name} TEXT]`),
    '[--lake FOLDER]',
  ].join(' ')
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [`${title}:\n${lines.map(line => `  - ${wrap(line, '    ').trimStart()}`).join('\n')}`]
  return [
    wrap(`tapehouse import ${name}: ${summary}`, ''),
    `Usage:\n${wrap(usage, '  ')}`,
    wrap(`Datasets: ${mappings.map(({ dataset }) => dataset.name).join(', ')}`, ''),
    ...list('Source', addresses),
    ...list('Input', expects),
    ...format.sources.map(sourceHelp),
    ...(options.length === 0
      ? []
      : [`Flags:\n${table(options.map(option => [`--${option.name} TEXT`, option.meaning]))}`]),
    ...list('Rejected', rejects),
    ...list('Accepted with a warning', keeps),
    `Examples:\n${exampleLines(format)
      .map(example => `  ${example}`)
      .join('\n')}`,
  ]
    .join('\n\n')
    .concat('\n')
}

/** Commands that import the sample files of a format. */
export const exampleLines = ({ name, examples }: ImportFormat) =>
  examples.map(example => `tapehouse import ${name} ${example} --lake data/lake`)

function sourceHelp(source: Source): string {
  const { name, kinds, columns, members, hasHeader } = source
  const rows =
    columns.length > 0
      ? columns.map((column): [string, string] => [column.name, columnHelp(column, hasHeader)])
      : members.map(({ path, meaning }): [string, string] => [path, meaning])
  const title = `${name} (${kinds.join(', ')}${hasHeader ? '' : ', no header: columns in this order'}):`
  return rows.length === 0
    ? title
    : [title, table(rows), ...needsOf(source).map(text => wrap(text, ''))].join('\n')
}

/** Which of the optional columns a file must have. */
export const needsOf = ({ needs }: Source): string[] =>
  needs.map(alternatives => `A file must have ${alternatives.map(each => each.join(' and ')).join(', or ')}.`)

/** The accepted names of a column, whether it is optional, and its meaning. */
export function columnHelp({ name, accepted, required, meaning }: RawColumn, hasHeader: boolean): string {
  const others = accepted.filter(each => each !== name)
  const parts = [
    ...(hasHeader && others.length > 0 ? [`in files: ${accepted.join(', ')}`] : []),
    ...(required || !hasHeader ? [] : ['optional']),
    ...(meaning === '' ? [] : [meaning]),
  ]
  return parts.join('; ')
}

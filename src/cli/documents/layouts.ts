import { resources } from '../../engine/resources.ts'
import { FOLDER, type ImportFormat } from '../../lake/import/format/format.ts'
import { type ColumnRule, type Layout, listed } from '../../lake/import/layout/layout.ts'
import { layoutsOf } from '../../lake/import/layout/layouts.ts'
import { LAYOUT } from '../../lake/import/layout/schema.ts'
import { MADE, page, table } from './markdown.ts'

/** One page per layout: `docs/formats/<format>/<layout>.md`. */
export const layoutPages = (format: ImportFormat): [path: string, content: string][] =>
  layoutsOf(format.name).map(layout => [
    `docs/formats/${format.name}/${layout.name}.md`,
    layoutPage(format, layout),
  ])

/** The list of the layouts of a format, for its page; nothing if it has none. */
export function layoutList({ name }: ImportFormat): string[] {
  const layouts = layoutsOf(name)
  if (layouts.length === 0) return []
  return [
    '## Layouts',
    'Files of these vendors are recognised, besides those with the columns above.',
    table(
      ['Layout', 'Files'],
      layouts.map(layout => [`[${name}/${layout.name}](${name}/${layout.name}.md)`, layout.title]),
    ),
  ]
}

/** The JSON schema of layouts, which editors check: `docs/layout.schema.json`. */
export const layoutSchema = () =>
  `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Layout of files for tapehouse import', ...LAYOUT }, null, 2)}\n`

const SAMPLE_LINES = 8
const SAMPLE_CHARACTERS = 240

function layoutPage(format: ImportFormat, layout: Layout): string {
  const { title, from, notes = [], columns, options = {}, sample } = layout
  const folder = `${FOLDER}/${format.name}/${layout.name}`
  const files = sample?.files ?? []
  const flags = Object.entries(sample?.options ?? {}).map(([name, value]) => `--${name} ${value}`)
  const command = [
    `tapehouse import ${format.name}/${layout.name}`,
    ...files.map(name => `'${folder}/${name}'`),
    ...flags,
    '--lake data/lake',
  ]
  return page(
    `# ${format.name}/${layout.name}`,
    MADE,
    `${title}. Format: [${format.name}](../${format.name}.md).`,
    ...(from === undefined ? [] : [`Source: ${/^https:\/\/\S+$/.test(from) ? `<${from}>` : from}`]),
    ...(notes.length === 0 ? [] : [notes.map(note => `- ${note}`).join('\n')]),
    `\`\`\`sh\n${command.join(' ')}\n\`\`\``,
    table(
      ['Column', 'From the file'],
      Object.entries(columns).map(([name, rule]) => [`\`${name}\``, ruleText(rule)]),
    ),
    ...(Object.keys(options).length === 0
      ? []
      : [
          table(
            ['Flag', 'Meaning'],
            Object.entries(options).map(([name, meaning]) => [`\`--${name}\``, meaning]),
          ),
        ]),
    ...files.flatMap(name => sampleText(folder, name)),
  )
}

/** The first lines of a sample that is text. */
function sampleText(folder: string, name: string): string[] {
  if (/\.(xlsx|parquet|zip|gz|zst|tgz)$/.test(name)) return []
  const lines = resources
    .read(`${folder}/${name}`)
    .split('\n')
    .slice(0, SAMPLE_LINES)
    .map(line => (line.length > SAMPLE_CHARACTERS ? `${line.slice(0, SAMPLE_CHARACTERS)} …` : line))
  return [`\`${name}\` begins:`, `\`\`\`text\n${lines.join('\n').trimEnd()}\n\`\`\``]
}

const code = (text: string) => `\`${text}\``

/** A rule in words. */
function ruleText(rule: string | ColumnRule): string {
  if (typeof rule === 'string') return code(rule)
  const { times, date, time, zone, number, words, match } = rule
  const forms = (names: readonly string[]) => names.map(code).join(' or ')
  const conversions = [
    ...(match === undefined ? [] : [`the part that matches ${code(match)}`]),
    ...(words === undefined
      ? []
      : [
          Object.entries(words)
            .map(([from, to]) => `${code(from)} is ${to}`)
            .join(', '),
        ]),
    ...(number === undefined ? [] : [number === 'us' ? 'as $1,234.50' : 'as 1.234,50']),
    ...(times === undefined ? [] : [`times ${times}`]),
    ...(date === undefined ? [] : [`a date ${forms(listed(date))}`]),
    ...(time === undefined ? [] : [`a time ${forms(listed(time))}`]),
    ...(zone === undefined ? [] : [`in ${zone}`]),
  ]
  const other = rule.or === undefined ? [] : [`otherwise ${ruleText(rule.or)}`]
  return [[originText(rule), ...conversions].join(', '), ...other].join('; ')
}

function originText(rule: ColumnRule): string {
  if (rule.from !== undefined) return listed(rule.from).map(code).join(' or ')
  if (rule.join !== undefined) return rule.join.map(code).join(' and ')
  if (rule.value !== undefined) return `always ${code(rule.value)}`
  if (rule.option !== undefined) return code(`--${rule.option}`)
  if (rule.file !== undefined) return `the file's name, ${code(rule.file)}`
  return `a line above the header, ${code(rule.above ?? '')}`
}

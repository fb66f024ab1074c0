import { createHash } from 'node:crypto'
import { type Dataset, dataset } from '../../store/datasets.ts'
import { type SqlHeader, sqlHeader } from '../../store/sql-header.ts'

/** Kinds of files: with columns (csv, ndjson, parquet), or with records that are JSON or are converted to it. */
export const KINDS = ['csv', 'ndjson', 'parquet', 'json', 'xml'] as const
export type Kind = (typeof KINDS)[number]

/** The kinds of files that may have a dataset's own columns. */
export const CANONICAL_KINDS = ['csv', 'ndjson', 'parquet'] as const
export type CanonicalKind = (typeof CANONICAL_KINDS)[number]

export const isCanonicalKind = (name: string): name is CanonicalKind =>
  CANONICAL_KINDS.some(kind => kind === name)

/** One raw column of a mapping, and its accepted header names, the preferred one first; all in lower case. */
export interface RawColumn {
  readonly name: string
  readonly required: boolean
  /** `name#2` is the second column of that name; `*` is the only column that no other raw column uses. */
  readonly accepted: readonly string[]
  /** Documentation of the mapping; empty if the name is enough. */
  readonly meaning: string
}

/** One sort of file that a format reads, and the table of its raw rows. */
export interface Source {
  readonly name: string
  readonly kinds: readonly Kind[]
  /** Empty if the source has records; its table then has the column `record`. */
  readonly columns: readonly RawColumn[]
  /** Alternatives, each a list of optional raw columns: for each item, a file must have all of one alternative. */
  readonly needs: readonly (readonly (readonly string[])[])[]
  /** Raw columns whose values keep surrounding spaces; other values are trimmed. */
  readonly verbatim: ReadonlySet<string>
  /** Whether CSV files have a header. Without one they have all columns in this order. */
  readonly hasHeader: boolean
  /** Whether a line that is not UTF-8 is read as Windows-1252 instead of rejected. */
  readonly isWindows1252: boolean
  /** The pattern of the first line of a file without a header. */
  readonly begins: RegExp | null
  /** Members that the first record must have. */
  readonly has: readonly string[]
  /** What its files are and what to import in their place, if they cannot be imported; otherwise null. */
  readonly refuses: string | null
  /** Names of the roots of XML documents, of which a file must have one to be recognised without the format. */
  readonly roots: readonly string[]
  /** Documentation of the members that are read from a record. */
  readonly members: readonly { readonly path: string; readonly meaning: string }[]
  /** XML elements that are always arrays, even of one. */
  readonly repeated: ReadonlySet<string>
}

/**
 * A SELECT of file, line, the dataset's columns in order, fault (VARCHAR[]), and optionally `left_out` and `warnings`
 * (VARCHAR[][]): dropped values, and suspicious ones that are kept, each as [column, reason, value].
 */
export interface Mapping {
  readonly dataset: Dataset
  readonly sql: string
}

/** A format of files. A foreign one is defined in `sql/import/<name>.sql`. */
export interface ImportFormat {
  readonly name: string
  readonly summary: string
  /** The dataset whose own columns the files have; null for a foreign format. */
  readonly canonical: Dataset | null
  /** Documentation: where to get such files, their content, and which values are rejected or changed. */
  readonly addresses: readonly string[]
  readonly expects: readonly string[]
  readonly rejects: readonly string[]
  readonly keeps: readonly string[]
  /** The arguments of `tapehouse import <name>` that import the samples. */
  readonly examples: readonly string[]
  /** Values that the files lack: flags of the command line and parameters of the SQL. */
  readonly options: readonly { readonly name: string; readonly meaning: string }[]
  /** Datasets whose rows in the lake the SQL reads, as `held_<name>`. */
  readonly reads: readonly Dataset[]
  /** Whether each row is mapped independently, so that files are mapped one by one and in chunks, unless they are many and small. */
  readonly isAlone: boolean
  readonly sources: readonly Source[]
  /** Tables that the mappings share, in order. */
  readonly steps: readonly { readonly name: string; readonly sql: string }[]
  /** Values of all raw rows that are mapped together, of one or several files, as variables of the session, which the mappings read. */
  readonly values: readonly { readonly name: string; readonly sql: string }[]
  readonly mappings: readonly Mapping[]
  /** The text of the format's SQL files. */
  readonly sql: string
}

/** The folder of the foreign formats. */
export const FOLDER = 'sql/import'
const NAME = /^[a-z][a-z0-9_]*$/
const OPTION = /^[a-z][a-z0-9-]*$/
const WORDS = ['no header', 'windows-1252'] as const

/**
 * Parses a format's SQL file: lines `-- label: value` in its head, then its sections, each after a line
 * `-- step: name`, `-- value: name` or `-- dataset: name`. Throws an Error that names the file if a line is wrong.
 */
export function parseFormat(name: string, sql: string): ImportFormat {
  const header = sqlHeader(`${FOLDER}/${name}.sql`, sql)
  const { values, only, wrong } = header
  const summary = only(name)
  const sections = sectionsOf(sql)
  const labelled = (label: string) => sections.filter(section => section.label === label)
  const steps = labelled('step')
  const mappings = labelled('dataset')
  const sources = sourcesOf(sql, header)
  const isAlone = values('rows').includes('alone')
  const reads = values('reads').map(dataset)
  const examples = values('example')
  if (mappings.length === 0) throw wrong('expected a line "-- dataset: …"')
  if (isAlone && sources.length + mappings.length + steps.length + reads.length !== 2)
    throw wrong('"-- rows: alone" goes with one source and one dataset, and neither steps nor reads')
  return {
    name,
    summary,
    canonical: null,
    addresses: values('address'),
    expects: values('expects'),
    rejects: values('rejects'),
    keeps: values('keeps'),
    examples: examples.length > 0 ? examples : [`data/samples/${name}`],
    options: values('option').map(value => {
      const [option = '', meaning = ''] = value.split(' = ')
      if (!OPTION.test(option) || meaning === '') throw wrong('expected "-- option: name = meaning"')
      return { name: option, meaning }
    }),
    reads,
    isAlone,
    sources,
    steps: steps.map(({ value, text }) => ({ name: value, sql: text })),
    values: labelled('value').map(({ value, text }) => ({ name: value, sql: text })),
    mappings: mappings.map(({ value, text }) => ({ dataset: dataset(value), sql: text })),
    sql,
  }
}

/** The sections of a SQL file, which start with a line `-- step: …`, `-- value: …` or `-- dataset: …`. */
function sectionsOf(sql: string) {
  const found = [...sql.matchAll(/^-- (step|value|dataset): (.+)$/gm)]
  return found.map(({ index, 1: label, 2: value = '' }, place) => ({
    label,
    value: value.trim(),
    text: sql.slice(index, found[place + 1]?.index),
  }))
}

/** The sources: each has the lines after its `-- source: …` up to the next one. */
function sourcesOf(sql: string, { wrong }: SqlHeader): Source[] {
  const [, ...parts] = sql.split(/^(?=-- source: )/m)
  if (parts.length === 0) throw wrong('expected a line "-- source: …"')
  return parts.map(part => sourceOf(part, wrong))
}

function sourceOf(part: string, wrong: SqlHeader['wrong']): Source {
  const { values } = sqlHeader('', part)
  const [name = '', list = ''] = (values('source')[0] ?? '').split(' = ')
  const words = list.split(',').map(word => word.trim())
  const kinds = KINDS.filter(kind => words.includes(kind))
  const strange = words.filter(word => ![...KINDS, ...WORDS].some(known => known === word))
  if (!NAME.test(name) || kinds.length === 0 || strange.length > 0)
    throw wrong(`expected "-- source: name = kind, kind" of ${[...KINDS, ...WORDS].join(', ')}`)
  const columns = [...part.matchAll(/^-- (column|columns|optional): (.+)$/gm)].flatMap(
    ([, label = '', value = '']) => columnsOf(label, value, wrong),
  )
  const inRecords = kinds.every(kind => kind === 'json' || kind === 'xml')
  if (inRecords !== (columns.length === 0))
    throw wrong(`expected lines "-- column: …" for the source ${name}, unless it is json or xml alone`)
  const needs = values('needs').map(value => value.split(' or ').map(each => each.split(/,\s*/)))
  const unknown = needs
    .flat(2)
    .find(each => !columns.some(column => column.name === each && !column.required))
  if (unknown !== undefined)
    throw wrong(`expected optional columns in "-- needs: name or name, name", found "${unknown}"`)
  const [begins] = values('begins')
  const [refuses = null] = values('refuses')
  return {
    name,
    kinds,
    columns,
    needs,
    verbatim: new Set(),
    hasHeader: !words.includes('no header'),
    isWindows1252: words.includes('windows-1252'),
    begins: begins === undefined ? null : new RegExp(begins),
    has: values('has').flatMap(each => each.split(/,\s*/)),
    refuses,
    roots: values('roots').flatMap(each => each.split(/,\s*/)),
    members: values('member').map(value => {
      const [path = '', meaning = ''] = value.split(/;\s+(.*)/s)
      return { path, meaning }
    }),
    repeated: new Set(values('repeated').flatMap(each => each.split(/,\s*/))),
  }
}

/** The columns of a line `-- column:`, `-- optional:` or `-- columns:`; the last lists several required ones. */
function columnsOf(label: string, value: string, wrong: SqlHeader['wrong']): RawColumn[] {
  if (label === 'columns')
    return value.split(/,\s*/).flatMap(name => columnsOf('column', `${name} = ${name}`, wrong))
  const [spelled = '', meaning = ''] = value.split(/;\s+(.*)/s)
  const [name = '', names = ''] = spelled.split(' = ')
  const accepted = names.split(',').map(each => each.trim())
  if (!NAME.test(name) || accepted.some(each => each === '' || each !== each.toLowerCase()))
    throw wrong(
      `expected "-- ${label}: name = header name, header name; meaning", names in lower case, found "${value}"`,
    )
  return [{ name, required: label === 'column', accepted, meaning: meaning.trim() }]
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/**
 * The hash that identifies an input in the lake. It covers the format, its SQL, `layout` (what defines how a layout reads it)
 * and the options, so that a corrected mapping, another `--cik` or `--strict` imports the same file again.
 */
export function inputHash(
  format: ImportFormat,
  layout: string | null,
  options: Readonly<Record<string, string>>,
  isStrict: boolean,
  fileHash: string,
) {
  const values = Object.entries(options)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(each => each.join('='))
  const definition = layout === null ? format.sql : `${format.sql}\0${layout}`
  return sha256(
    [format.name, sha256(definition), ...values, ...(isStrict ? ['strict'] : []), fileHash].join('\0'),
  )
}

/** The name of one import. Equal inputs have equal names. */
export function importName(format: ImportFormat, inputs: readonly string[]): string {
  return `${format.name}-${sha256(inputs.join('\n')).slice(0, 12)}`
}

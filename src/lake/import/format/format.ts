import { createHash } from 'node:crypto'
import { type Dataset, dataset } from '../../store/datasets.ts'
import { type SqlHeader, sqlHeader } from '../../store/sql-header.ts'

/** How a file may be written: in columns (csv, ndjson, parquet), or in records that are JSON or become it. */
export const KINDS = ['csv', 'ndjson', 'parquet', 'json', 'xml'] as const
export type Kind = (typeof KINDS)[number]

/** The kinds that may have a dataset's own columns. */
export const CANONICAL_KINDS = ['csv', 'ndjson', 'parquet'] as const
export type CanonicalKind = (typeof CANONICAL_KINDS)[number]

export const isCanonicalKind = (name: string): name is CanonicalKind =>
  CANONICAL_KINDS.some(kind => kind === name)

/** One raw column that a mapping reads, and the header names it goes by, the best one first; all in lower case. */
export interface RawColumn {
  readonly name: string
  readonly required: boolean
  /** `name#2` is the second column of that name; `*` the only one that no other raw column takes. */
  readonly accepted: readonly string[]
  /** How it maps, for people; empty where the name says it. */
  readonly meaning: string
}

/** One kind of file that a format takes, and the table of raw rows that is made of it. */
export interface Source {
  readonly name: string
  readonly kinds: readonly Kind[]
  /** None: the source is in records, and its table has the column `record`. */
  readonly columns: readonly RawColumn[]
  /** Raw columns that are kept as they are written; of the others, blanks around them are not part of the value. */
  readonly verbatim: ReadonlySet<string>
  /** Whether CSV files name their columns; those that do not have all of them, in this order. */
  readonly hasHeader: boolean
  /** A line that is not UTF-8 is read as Windows-1252 instead of being rejected. */
  readonly isWindows1252: boolean
  /** What the first line of a file without a header looks like. */
  readonly begins: RegExp | null
  /** Members that the first record must have. */
  readonly has: readonly string[]
  /** What is read of a record, for people. */
  readonly members: readonly { readonly path: string; readonly meaning: string }[]
  /** XML elements that are arrays, one or many. */
  readonly repeated: ReadonlySet<string>
}

/** A SELECT that answers file, line, the dataset's columns in order, fault and, if it likes, what it left out (VARCHAR[][]). */
export interface Mapping {
  readonly dataset: Dataset
  readonly sql: string
}

/** A format of files. A foreign one stands as a whole in `sql/import/<name>.sql`. */
export interface ImportFormat {
  readonly name: string
  readonly summary: string
  /** The dataset whose own columns the files have; null for a foreign format. */
  readonly canonical: Dataset | null
  /** Where such files come from, what they look like, and what does not get in as it stands: for people. */
  readonly addresses: readonly string[]
  readonly expects: readonly string[]
  readonly rejects: readonly string[]
  readonly keeps: readonly string[]
  /** What stands behind `tapehouse import <name>` to import the samples. */
  readonly examples: readonly string[]
  /** What a person may say that the files do not: flags of the command line, parameters of the SQL. */
  readonly options: readonly { readonly name: string; readonly meaning: string }[]
  /** Datasets whose rows in the lake the SQL sees, as `held_<name>`. */
  readonly reads: readonly Dataset[]
  /** Whether each row maps by itself, so that files are mapped chunk by chunk. */
  readonly isAlone: boolean
  readonly sources: readonly Source[]
  /** Tables that the mappings share, in order. */
  readonly steps: readonly { readonly name: string; readonly sql: string }[]
  readonly mappings: readonly Mapping[]
  /** All of it, as it stands. */
  readonly sql: string
}

/** Where the foreign formats stand. */
export const FOLDER = 'sql/import'
const NAME = /^[a-z][a-z0-9_]*$/
const OPTION = /^[a-z][a-z0-9-]*$/
const WORDS = ['no header', 'windows-1252'] as const

/**
 * Reads a format's SQL file: what its head says in lines `-- label: value`, then its steps and mappings, each from the
 * line `-- step: name` or `-- dataset: name` on. Whatever does not fit is an Error that names the file.
 */
export function parseFormat(name: string, sql: string): ImportFormat {
  const header = sqlHeader(`${FOLDER}/${name}.sql`, sql)
  const { values, only, wrong } = header
  const summary = only(name)
  const sections = sectionsOf(sql)
  const steps = sections.filter(({ label }) => label === 'step')
  const mappings = sections.filter(({ label }) => label === 'dataset')
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
    mappings: mappings.map(({ value, text }) => ({ dataset: dataset(value), sql: text })),
    sql,
  }
}

/** The parts of a SQL file that begin with a line `-- step: …` or `-- dataset: …`. */
function sectionsOf(sql: string) {
  const found = [...sql.matchAll(/^-- (step|dataset): (.+)$/gm)]
  return found.map(({ index, 1: label, 2: value = '' }, place) => ({
    label,
    value: value.trim(),
    text: sql.slice(index, found[place + 1]?.index),
  }))
}

/** The sources: each has the lines behind its `-- source: …` up to the next. */
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
  const [begins] = values('begins')
  return {
    name,
    kinds,
    columns,
    verbatim: new Set(),
    hasHeader: !words.includes('no header'),
    isWindows1252: words.includes('windows-1252'),
    begins: begins === undefined ? null : new RegExp(begins),
    has: values('has').flatMap(each => each.split(/,\s*/)),
    members: values('member').map(value => {
      const [path = '', meaning = ''] = value.split(/;\s+(.*)/s)
      return { path, meaning }
    }),
    repeated: new Set(values('repeated').flatMap(each => each.split(/,\s*/))),
  }
}

/** What a line `-- column:`, `-- optional:` or `-- columns:` says: the last names several that a file must have. */
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
 * The hash that the lake knows an input by. The format, its SQL and what the person said with it are part of it, so
 * that a corrected mapping or another `--cik` imports the same file again.
 */
export function inputHash(format: ImportFormat, said: Readonly<Record<string, string>>, fileHash: string) {
  const options = Object.entries(said)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(each => each.join('='))
  return sha256([format.name, sha256(format.sql), ...options, fileHash].join('\0'))
}

/** The name of one import, made from what goes in: the same inputs give the same name. */
export function importName(format: ImportFormat, inputs: readonly string[]): string {
  return `${format.name}-${sha256(inputs.join('\n')).slice(0, 12)}`
}

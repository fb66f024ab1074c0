import type { ImportFormat, RawColumn } from '../format/format.ts'
import { lackingOf } from '../format/lacking.ts'
import type { ColumnRule, FileForm } from '../layout/layout.ts'
import { type Sides, sidesIn } from './sides.ts'
import { hasAlternatives, type Target, targetsOf } from './targets.ts'
import { formOf, type ValueForm } from './value-forms.ts'

/** The first rows of a file, and how it is built. */
export interface Sampled {
  readonly file: FileForm
  readonly names: readonly string[]
  /** The values of each column that are not blank. */
  readonly values: readonly (readonly string[])[]
}

/** A first layout for a file. */
export interface Drafted {
  readonly $schema: string
  readonly title: string
  readonly format: string
  readonly source?: string
  readonly file: FileForm
  readonly unpivot?: string
  readonly columns: Readonly<Record<string, string | ColumnRule>>
  readonly options?: Readonly<Record<string, string>>
  readonly questions: readonly string[]
}

const SCHEMA = 'layout.schema.json'

/** With fewer columns than this, a file resembles no format. */
const SCORE_MIN = 2

/** The rows that a layout reads, those of calls and puts below each other. */
interface Columns {
  readonly names: readonly string[]
  readonly forms: readonly ValueForm[]
  readonly sides: Sides | null
}

/**
 * Drafts a layout for a file: of the format whose columns its names and values resemble most, or of the format with a
 * name. What the file does not show is a question in the layout, which the user must answer. Null if the file resembles no
 * format.
 */
export function draftLayout(fileName: string, sampled: Sampled, only: string | undefined): Drafted | null {
  const columns = columnsOfBothSides(sampled)
  const [best, ...others] = targetsOf(columns.names, columns.forms, only)
  if (best === undefined || (best.score < SCORE_MIN && only === undefined)) return null
  const close = others.filter(
    ({ score, format }) => score >= best.score - CLOSE && score >= SCORE_MIN && format !== best.format,
  )
  const drafted = layoutFor(fileName, sampled.file, columns, best)
  return { ...drafted, questions: [...otherFormats(best, close), ...drafted.questions] }
}

/** A format with a score that is this much lower may be the right one. */
const CLOSE = 2

function otherFormats({ format }: Target, others: readonly Target[]): string[] {
  const names = [...new Set(others.map(other => other.format.name))]
  if (names.length === 0) return []
  return [
    `Are these ${format.name} (${format.summary})? The file may also be ${names.join(' or ')}: draft that with tapehouse import ${names[0]} --map-from.`,
  ]
}

function columnsOfBothSides({ names, values }: Sampled): Columns {
  const sides = sidesIn(names)
  const gathered = new Set([...(sides?.places.values() ?? [])].flat())
  const own = names.flatMap((name, place) =>
    gathered.has(place) ? [] : [{ name, values: values[place] ?? [] }],
  )
  const fields = (sides?.fields ?? []).map(name => ({
    name,
    values: (sides?.places.get(name) ?? []).flatMap(place => values[place] ?? []),
  }))
  const side = sides === null ? [] : [{ name: 'side', values: Object.keys(sides.words) }]
  const all = [...own, ...fields, ...side]
  return { names: all.map(({ name }) => name), forms: all.map(each => formOf(each.name, each.values)), sides }
}

function layoutFor(fileName: string, file: FileForm, columns: Columns, target: Target): Drafted {
  const { names, forms, sides } = columns
  const { format, source, found, guessed } = target
  const used = new Set(found.values())
  const questions: string[] = []
  const rules: Record<string, string | ColumnRule> = {}
  const options: Record<string, string> = {}
  const ask = (column: RawColumn) => {
    const absent = absentRule(format, column, fileName)
    rules[column.name] = absent.rule
    if (absent.option !== undefined) options[column.name] = absent.option
    questions.push(absent.question)
  }
  for (const column of source.columns) {
    const place = found.get(column.name)
    const name = place === undefined ? undefined : names[place]
    const form = place === undefined ? undefined : forms[place]
    if (name === 'side' && sides !== null) rules[column.name] = { from: name, words: sides.words }
    else if (name !== undefined && form !== undefined) {
      questions.push(...form.questions, ...wordQuestions(name, form, column))
      if (guessed.includes(column.name))
        questions.push(`Is ${name} the ${column.name}? It has ${form.description}.`)
      rules[column.name] =
        Object.keys(form.conversions).length > 0 ? { from: name, ...form.conversions } : name
    } else if (column.required && !hasAlternatives(column.name, found)) {
      ask(column)
    } else if (column.required) {
      rules[column.name] = { from: column.name, optional: true }
      const [own] = source.columns.filter(({ name }) => name === 'root')
      if (own !== undefined && !found.has(own.name)) ask(own)
    }
  }
  const clock = clockRule(columns, target, used)
  if (clock !== null) {
    delete rules.date
    rules.time = clock.rule
    questions.push(...clock.questions)
  }
  for (const { name } of lackingOf({ columns: [], needs: source.needs }, each => rules[each] !== undefined))
    questions.push(`No column is the ${name}, which ${format.name} needs: add the rules of one alternative.`)
  const unused = names.flatMap((name, place) =>
    name === '' || used.has(place) ? [] : [`${name} (${forms[place]?.description})`],
  )
  if (unused.length > 0)
    questions.push(`No rule reads ${unused.join(', ')}. Add a rule for each that matters.`)
  const free = source.columns.filter(({ name }) => rules[name] === undefined).map(({ name }) => name)
  if (unused.length > 0 && free.length > 0) questions.push(`${format.name} also has ${listShort(free)}.`)
  return {
    $schema: SCHEMA,
    title: `Files like ${fileName}`,
    format: format.name,
    ...(format.sources.length > 1 ? { source: source.name } : {}),
    file,
    ...(sides === null ? {} : { unpivot: sides.unpivot }),
    columns: rules,
    ...(Object.keys(options).length === 0 ? {} : { options }),
    questions,
  }
}

/** Whether the few values of a column are those that a format reads. */
const wordQuestions = (name: string, { words }: ValueForm, column: RawColumn): string[] =>
  words.length === 0 || column.meaning === ''
    ? []
    : [
        `${name} has ${words.join(', ')}. The ${column.name} is: ${column.meaning}. Convert other values with "words": {"${words[0]}": "the word of the format"}.`,
      ]

const LISTED_MAX = 20

const listShort = (names: readonly string[]) =>
  `${names.slice(0, LISTED_MAX).join(', ')}${names.length > LISTED_MAX ? ' and more' : ''}`

/** The rule of a date and a time of day in two columns, for a format that reads an instant; null if there are none. */
function clockRule(
  { names, forms }: Columns,
  { format, source, found }: Target,
  used: Set<number>,
): { rule: ColumnRule; questions: readonly string[] } | null {
  // A format that reads an instant alone has no column for the date.
  const date = found.get('date') ?? forms.findIndex(({ kind }, place) => kind === 'date' && !used.has(place))
  const named = found.get('time')
  const clock =
    named !== undefined && forms[named]?.kind === 'clock'
      ? named
      : forms.findIndex(({ kind }) => kind === 'clock')
  const isRead = source.columns.some(({ name }) => name === 'time') && format.name !== 'daily-bars'
  if (clock === -1 || !isRead || forms[date]?.kind !== 'date') return null
  const join = [names[date] ?? '', names[clock] ?? '']
  used.add(clock)
  used.add(date)
  const form = `${dateForm(forms[date])} ${forms[clock]?.clock ?? ''}`
  return {
    rule: { join, time: form },
    questions: [
      `In which time zone are ${join.join(' and ')}? Set "zone" of the rule of time, such as "America/New_York" or "UTC".`,
    ],
  }
}

const dateForm = ({ conversions }: ValueForm) => conversions.date ?? '%Y-%m-%d'

/** Raw columns of which a whole file may have one value, as a flag or in the file's name. */
const OF_FILES = /^(ticker|pair|root|series|base|quote|date|time|.*_date)$/

interface Absent {
  readonly rule: ColumnRule
  readonly question: string
  /** What the flag of the column means, if the rule has one that the format lacks. */
  readonly option?: string
}

/** The rule of a required column that the file lacks, with a question. */
function absentRule(format: ImportFormat, { name, meaning }: RawColumn, fileName: string): Absent {
  const known = format.options.find(each => each.name === name)
  const explained = meaning === '' ? '' : ` (${meaning})`
  if (known === undefined && !OF_FILES.test(name))
    return {
      rule: { value: '' },
      question: `Which column is the ${name}${explained}? Write {"from": "its name"} or {"value": "a constant"}.`,
    }
  const option = known === undefined ? { option: `${name} of files that do not contain it` } : {}
  const [, inName] = /^([A-Z][A-Z0-9]{0,9}(?:[.-][A-Z]{1,4})?)(?=[ _.-])/.exec(fileName) ?? []
  if (inName !== undefined && /^(ticker|pair|root)$/.test(name))
    return {
      ...option,
      rule: { option: name, or: { file: '^([A-Z][A-Z0-9]*(?:[.-][A-Z]{1,4})?)[ _.-]' } },
      question: `No column is the ${name}${explained}. Is it in the file's name, ${inName}? Otherwise specify --${name}.`,
    }
  return {
    ...option,
    rule: { option: name },
    question: `No column is the ${name}${explained}. Specify --${name}, or write {"from": "a column"}, {"value": "a constant"} or {"file": "a pattern of the file's name"}.`,
  }
}

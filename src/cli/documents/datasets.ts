import { type Dataset, datasets } from '../../lake/store/datasets.ts'
import { derivations, type Input, inputsOf, type Reach } from '../../lake/store/derivation.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { INTERNAL } from '../../operations/fields/elsewhere.ts'
import type { Field, Origin } from '../../operations/fields/notation.ts'
import { operations } from '../../operations/index.ts'
import { MADE, page, table } from './markdown.ts'

/** docs/datasets.md: what the lake holds, where that comes from, and which answers show it. */
export function datasetsPage(): string {
  return page(
    '# Datasets',
    MADE,
    [
      'An imported dataset holds what sources say. A derived one is computed from others, a day at a time, and again',
      'whenever their rows of a date that it reads change; it cannot be imported. "On the day" and "before" count from',
      'the day that is computed; dates are those that the dataset holds, days those of the calendar.',
    ].join(' '),
    ...[...datasets().values()].map(datasetSection),
    "## Where each answer's fields come from",
    [
      'Every field of every record, in its order. Without a rule the field is the column itself, in the type of the',
      'answer: decimals as text in plain notation, counts as integers. A field without a reason in the last column is',
      'never null. Parameters that only compare with the field of their name are not repeated; a stem stands for its',
      '`min_` and `max_`. The last trading date is the last date of the dataset named first.',
    ].join(' '),
    ...operations.map(answerSection),
  )
}

const code = (text: string) => `\`${text}\``
const codes = (texts: readonly string[]) => texts.map(code).join(', ')

function datasetSection(dataset: Dataset): string {
  const { name, summary, columns, key, sort, ranges, partition } = dataset
  const units =
    partition.units.length > 0 ? `by ${partition.units.join(', ')} of` : 'not at all; its dates are those of'
  return [
    `## ${name}`,
    summary,
    originOf(dataset),
    `Key: ${key.join(', ')}. Sorted by ${sort.join(', ')}. Partitioned ${units} ${partition.column}. Files are pruned by date and by ${ranges.join(', ')}.`,
    table(
      ['Column', 'Type', 'Null', 'Meaning'],
      columns.map(({ name: column, type, nullable, comment }) => [
        code(column),
        code(type),
        nullable ? 'yes' : 'no',
        comment,
      ]),
    ),
  ].join('\n\n')
}

/** Whether a dataset is imported or derived, from what, and who reads it. */
function originOf({ name }: Dataset): string {
  const derivation = derivations().get(name)
  const origin = derivation
    ? `Derived (${derivation.summary}) for each date of ${codes(derivation.days.map(each => each.name))}, from ${derivation.reads.map(input => read(input, name)).join('; ')}.`
    : 'Imported.'
  const makes = [...derivations().values()]
    .filter(each => each.dataset.name !== name && inputsOf(each).some(input => input.name === name))
    .map(each => each.dataset.name)
  const answers = operations.filter(({ datasets: read }) => read.includes(name)).map(({ id }) => id)
  const purpose = makes.length > 0 ? undefined : INTERNAL[name]
  return [
    origin,
    ...(makes.length > 0 ? [`Read to derive ${codes(makes)}.`] : []),
    answers.length > 0
      ? `Answers: ${codes(answers)}.`
      : `No answer reads it${purpose ? `: ${purpose}` : ''}.`,
  ].join(' ')
}

const read = ({ dataset, reach }: Input, own: string) =>
  dataset.name === own ? `its own rows ${spanBefore(reach)}` : `${code(dataset.name)} ${span(reach)}`

/** The dates of another dataset that a day is computed from; those before never come without the day's own. */
function span(reach: Reach): string {
  if (reach.kind === 'day') return 'on the day'
  if (reach.kind === 'before') return 'up to the day'
  if (reach.kind === 'all') return 'of all dates'
  return `on the day and ${spanBefore(reach)}`
}

/** Of its own rows a dataset never reads the day that is computed. */
function spanBefore(reach: Reach): string {
  if (reach.kind === 'dates' || reach.kind === 'days')
    return reach.count === 1
      ? `of the ${reach.kind.slice(0, -1)} before`
      : `of the ${reach.count} ${reach.kind} before`
  return 'of all dates before'
}

const ORIGINS: Readonly<Record<Origin, string>> = {
  request: 'the request',
  constant: 'the program',
  nested: 'its own fields',
}

const source = ({ from, rule }: Field) =>
  `${typeof from === 'string' ? ORIGINS[from] : references(from)}${rule ? `: ${rule}` : ''}`

/** One column as `dataset.column`, several with their dataset said once. */
function references(from: readonly string[]): string {
  if (from.length === 1) return codes(from)
  const byDataset = new Map<string, string[]>()
  for (const [dataset = '', column = ''] of from.map(reference => reference.split('.')))
    byDataset.set(dataset, [...(byDataset.get(dataset) ?? []), column])
  return [...byDataset].map(([dataset, columns]) => `${code(dataset)} (${columns.join(', ')})`).join(', ')
}

function answerSection({ id, fields: { dating, parts, parameters } }: Operation): string {
  const fields = parts.flatMap(({ at, fields: each }) =>
    each.map(field => [
      code(at === '' ? field.name : `${at}.${field.name}`),
      field.type,
      source(field),
      field.nullWhen ?? '',
    ]),
  )
  return [
    `### ${id}`,
    `The last trading date is that of ${codes(dating)}.`,
    table(['Field', 'Type', 'From', 'Null when'], fields),
    ...(parameters.length > 0
      ? [
          table(
            ['Parameter or order', 'Type', 'Looks at'],
            parameters.map(field => [code(field.name), field.type, source(field)]),
          ),
        ]
      : []),
  ].join('\n\n')
}

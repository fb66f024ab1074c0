import { type Dataset, datasets } from '../../lake/store/datasets.ts'
import { derivations, type Input, inputsOf, type Reach } from '../../lake/store/derivation.ts'
import type { Operation } from '../../operations/answering/operation.ts'
import { INTERNAL } from '../../operations/fields/elsewhere.ts'
import type { Field, Origin } from '../../operations/fields/notation.ts'
import { operations } from '../../operations/index.ts'
import { MADE, page, table } from './markdown.ts'

/** docs/datasets.md: the datasets of the lake, their sources, and the operations that read them. */
export function datasetsPage(): string {
  return page(
    '# Datasets',
    MADE,
    [
      'A dataset is either imported or derived. An imported dataset contains the data of its sources. A derived dataset',
      'is computed from other datasets, one day at a time, and cannot be imported. A day is computed again when the rows',
      'that it reads change. "On the day" and "before" are relative to the computed day; "dates" are dates in the input',
      'dataset, "days" are calendar days.',
    ].join(' '),
    ...[...datasets().values()].map(datasetSection),
    '## Sources of the fields of each answer',
    [
      'All fields of each record, in order. A field without a rule is the column itself, in the type of the answer:',
      'decimals as text in plain notation, counts as integers. A field whose last column is empty is never null.',
      'Parameters that only compare with the field of the same name are not listed; a parameter without its `min_` and',
      '`max_` prefix means both. The default date of an operation comes from the dataset that its section names. Of',
      'operations on one trading day it is the last [closed](concepts.md#closed-day) one, of others the latest date.',
    ].join(' '),
    ...operations.map(answerSection),
  )
}

const code = (text: string) => `\`${text}\``
const codes = (texts: readonly string[]) => texts.map(code).join(', ')

function datasetSection(dataset: Dataset): string {
  const { name, summary, columns, key, sort, ranges, partition } = dataset
  const partitions =
    partition.units.length > 0
      ? `Partitioned by ${partition.units.join(', ')} of ${partition.column}`
      : `Not partitioned; the date of a row is ${partition.column}`
  return [
    `## ${name}`,
    sentence(summary),
    originOf(dataset),
    `Key: ${key.join(', ')}. Sorted by ${sort.join(', ')}. ${partitions}. Files are pruned by date and by ${ranges.join(', ')}.`,
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

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Whether a dataset is imported or derived, its inputs, and what reads it. */
function originOf({ name }: Dataset): string {
  const derivation = derivations().get(name)
  const origin = derivation
    ? `Derived for each date of ${codes(derivation.days.map(each => each.name))}: ${derivation.summary}. Inputs: ${derivation.reads.map(input => read(input, name)).join('; ')}.`
    : 'Imported.'
  const makes = [...derivations().values()]
    .filter(each => each.dataset.name !== name && inputsOf(each).some(input => input.name === name))
    .map(each => each.dataset.name)
  const answers = operations.filter(({ datasets: read }) => read.includes(name)).map(({ id }) => id)
  const purpose = makes.length > 0 ? undefined : INTERNAL[name]
  return [
    origin,
    ...(makes.length > 0 ? [`Input of ${codes(makes)}.`] : []),
    answers.length > 0
      ? `Operations: ${codes(answers)}.`
      : `No operation reads it${purpose ? `: ${purpose}` : ''}.`,
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

/** One column as `dataset.column`, several with their dataset once. */
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
    `The default date is that of ${codes(dating)}.`,
    table(['Field', 'Type', 'Source', 'Null when'], fields),
    ...(parameters.length > 0
      ? [
          table(
            ['Parameter or sort order', 'Type', 'Source'],
            parameters.map(field => [code(field.name), field.type, source(field)]),
          ),
        ]
      : []),
  ].join('\n\n')
}

import type { Derived } from '../../lake/derive/derive.ts'
import type { DatasetOutcome, ImportReport, RefusedFile } from '../../lake/import/report.ts'
import { layoutsOf } from '../../lake/import/rows/accounts.ts'
import { FAULTS_SHOWN, type Fault } from '../../lake/import/rows/faults.ts'
import { printable } from '../terminal/printable.ts'
import { count, counted } from '../terminal/terminal.ts'

/** The outcome of an import in few lines: what was imported, then a line per dataset, and what needs attention. */
export function summaryOf(report: ImportReport): string {
  return [firstLineOf(report), ...labelled(detailsOf(report))].map(line => `${line}\n`).join('')
}

function firstLineOf({
  files,
  skipped,
  refused,
  rows,
  snapshot,
  published,
  isDryRun,
  seconds,
}: ImportReport) {
  const taken = files - skipped - refused.length
  const known = skipped > 0 ? `, ${counted(skipped, 'file')} already imported` : ''
  const what = `${counted(rows, 'row')} from ${counted(taken, 'file')}${known}`
  if (isDryRun) return `Would import ${what} (dry run, ${seconds.toFixed(1)} s). Nothing was written.`
  if (published) return `Imported ${what}: snapshot ${snapshot}, ${seconds.toFixed(1)} s.`
  return `Nothing new in ${counted(files, 'file')}: ${snapshot === null ? 'the lake is still empty' : `snapshot ${snapshot} is unchanged`}.`
}

type Line = readonly [label: string, text: string]

function detailsOf(report: ImportReport): Line[] {
  const {
    datasets,
    derived,
    rejected,
    faults,
    rejectsFile,
    rejectsFolder,
    notes,
    warnings,
    renamed,
    unused,
    isDryRun,
  } = report
  const where = rejectsFile === null ? '' : `: see ${rejectsFile}`
  return [
    ...(isDryRun ? filesOf(report) : lineIf('layout', layoutsOf(report.accounts).map(printable).join(', '))),
    ...datasets.map((each): Line => [each.dataset, datasetText(each)]),
    ...lineIf('derived', derived.map(derivedText).join(', ')),
    ...lineIf('rejected', rejected > 0 ? `${counted(rejected, 'row')} (${reasons(faults)})${where}` : ''),
    ...lineIf('to correct', rejectsFolder === null ? '' : `edit and import the files in ${rejectsFolder}`),
    ...lineIf('left out', reasons(notes)),
    ...lineIf('warnings', reasons(warnings)),
    ...lineIf('tickers', renamedText(renamed)),
    ...(isDryRun
      ? unused.map(({ file, columns }): Line => ['ignored', `${columns.join(', ')} (${file})`])
      : []),
  ]
}

const lineIf = (label: string, text: string): Line[] => (text === '' ? [] : [[label, text]])

/** The files of a dry run, each with its counts. */
const filesOf = ({ format, accounts }: ImportReport): Line[] =>
  accounts.map(({ file, layout, records, rows, rejected }) => [
    layout === null ? format : `${format}/${printable(layout)}`,
    `${file}: ${counted(records, 'record')}, ${counted(rows, 'row')}${rejected > 0 ? `, ${count(rejected)} rejected` : ''}`,
  ])

function datasetText({ rows, days, firstDay, lastDay, keys, added, replaced }: DatasetOutcome): string {
  const period = days === 1 ? firstDay : `${counted(days, 'day')} from ${firstDay} to ${lastDay}`
  const same = rows - added - replaced
  const changes = [
    ...(replaced > 0 ? [`${count(replaced)} replaced`] : []),
    ...(same > 0 ? [`${count(same)} unchanged`] : []),
  ]
  return [counted(rows, 'row'), period, ...(keys === null ? [] : [keysText(keys)]), ...changes].join(', ')
}

function keysText({ column, count: number, first }: NonNullable<DatasetOutcome['keys']>): string {
  const noun = column.replaceAll('_', ' ')
  return `${counted(number, noun)} (${first.map(printable).join(', ')}${number > first.length ? ', …' : ''})`
}

const derivedText = ({ dataset, computed, dropped }: Derived) =>
  `${dataset} ${counted(computed.length, 'day')}${dropped.length > 0 ? ` (${count(dropped.length)} removed)` : ''}`

const reasons = (faults: readonly Fault[]) =>
  faults.length === 0
    ? ''
    : `${faults.map(({ fault, rows }) => `${fault}: ${count(rows)}`).join('; ')}${faults.length === FAULTS_SHOWN ? '; …' : ''}`

/** The number of renamed tickers in a summary; the JSON has them all. */
const RENAMED_SHOWN = 5

function renamedText({ number, tickers }: ImportReport['renamed']): string {
  const shown = tickers.slice(0, RENAMED_SHOWN)
  const more = number - shown.length
  return [
    ...shown.map(({ written, ticker }) => `${printable(written)} is stored as ${ticker}`),
    ...(more > 0 ? [`and ${count(more)} more`] : []),
  ].join(', ')
}

/** Indented lines, whose texts begin in the same column. A label is not repeated. */
function labelled(lines: readonly Line[]): string[] {
  const width = Math.max(0, ...lines.map(([label]) => label.length))
  return lines.map(([label, text], index) => {
    const shown = lines[index - 1]?.[0] === label ? '' : label
    return `  ${shown.padEnd(width)}  ${text}`
  })
}

/** The bad files of an import, one line each. */
export const refusedLines = (refused: readonly RefusedFile[]): string =>
  refused.map(({ reason }) => `refused: ${reason}\n`).join('')

/** The same as one JSON object. */
export function summaryJson(report: ImportReport): string {
  const { rejectsFile, rejectsFolder, isDryRun, datasets, derived, ...rest } = report
  return `${JSON.stringify({
    ...rest,
    dry_run: isDryRun,
    rejects_file: rejectsFile,
    rejects_folder: rejectsFolder,
    datasets: datasets.map(({ firstDay, lastDay, ...each }) => ({
      ...each,
      first_day: firstDay,
      last_day: lastDay,
    })),
    derived,
  })}\n`
}

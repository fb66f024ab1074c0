import { closest } from 'fastest-levenshtein'
import { closeDays } from '../../lake/import/close.ts'
import { importable } from '../../lake/import/format/canonical.ts'
import { CANONICAL_KINDS, isCanonicalKind } from '../../lake/import/format/format.ts'
import { listFormats } from '../../lake/import/format/formats.ts'
import { importFiles } from '../../lake/import/import.ts'
import { FAULTS_SHOWN, type Fault } from '../../lake/import/rows/rejects.ts'
import { dayOf, isValidDate } from '../../market/day.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { writerMemory } from '../command/maintenance.ts'
import { formatHelp, formatList } from '../help/format.ts'
import { count, counted, progressOn, untilInterrupted } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'

const foreign = listFormats()
const names = foreign.map(({ name }) => name)
/** The foreign format that the arguments specify, if any: in `csv posts`, posts is a dataset. */
function formatIn(argv: readonly string[]) {
  const specified = argv.find(argument => isCanonicalKind(argument) || names.includes(argument))
  return foreign.find(({ name }) => name === specified)
}

export const importCommand: Command = {
  name: 'import',
  usage: '<format> <file-or-folder…>  |  csv|ndjson|parquet <dataset> <file-or-folder…>  |  --close DATE',
  details: `Formats: ${names.join(', ')}. Run tapehouse import --list for a description of each one, tapehouse import <format> --help for its columns. csv, ndjson (one JSON object per line) and parquet are files with the columns of a dataset, by name and in any order. Datasets: ${importable().join(', ')}. In these files, times are ISO 8601 (UTC if they have no time zone), decimals are in plain notation with at most as many decimal places as the column, and lists are JSON arrays or [a, b]. Text files may be compressed (.gz, .zst). Importing the same files again changes nothing. New rows replace rows with the same key. Rejected rows are written to rejects/ in the lake with their line and the reason. An operation without a date uses the last closed trading day: one with about as many rows as usual, or one that --close closed.`,
  examples: [
    'tapehouse import daily-bars data/samples/daily-bars/daily-bars.csv --lake data/lake',
    'tapehouse import csv option_trades data/samples/canonical/option_trades.csv --lake data/lake',
    'tapehouse import --close 2024-01-03 --lake data/lake',
  ],
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {
    list: { help: 'List the file formats.' },
    strict: { help: 'Reject rows with warnings.' },
    close: {
      value: 'YYYY-MM-DD',
      help: 'Close the trading days up to this one, even if they have few rows. Without files: only close them.',
    },
  },
  flagsFor: argv =>
    Object.fromEntries(
      (formatIn(argv)?.options ?? []).map(({ name, meaning }) => [name, { help: meaning, value: 'TEXT' }]),
    ),
  helpFor: argv => {
    const format = formatIn(argv)
    return format && formatHelp(format)
  },
  run: async ({ positionals, settings, flags: { list, close: dates, strict, ...formatFlags } }) => {
    if (list?.length) {
      process.stdout.write(formatList(foreign))
      return 0
    }
    const close = closingDate(dates?.[0])
    if (close !== null && positionals.length === 0) {
      const { snapshot, published } = await closeDays(settings.lake, close)
      process.stdout.write(
        published
          ? `Closed the days up to ${close}: snapshot ${snapshot}.\n`
          : `The days up to ${close} are closed already: snapshot ${snapshot} is unchanged.\n`,
      )
      return 0
    }
    const { format, inputs } = readFormat(positionals)
    if (inputs.length === 0) throw usage(importCommand, 'no files to import: specify files or folders')
    const progress = progressOn(process.stderr)
    try {
      const report = await importFiles({
        format,
        inputs,
        options: Object.fromEntries(
          Object.entries(formatFlags).flatMap(([name, [value]]) =>
            value === undefined ? [] : [[name, value]],
          ),
        ),
        lake: settings.lake,
        observe: progress.observe,
        signal: untilInterrupted(),
        memoryBytesMax: writerMemory(settings),
        threads: engineThreads(settings.threads, 1),
        isStrict: strict !== undefined && strict.length > 0,
        ...(close === null ? {} : { close }),
      })
      progress.end()
      process.stdout.write(`${summaryOf(report)}\n`)
    } finally {
      progress.end()
    }
    return 0
  },
}

/** The date of --close. A day in the future cannot be complete, and would leave the default date without a check. */
function closingDate(text: string | undefined): string | null {
  if (text === undefined) return null
  const shown = JSON.stringify(text)
  if (!isValidDate(text))
    throw usage(importCommand, `--close must be a date such as 2024-01-18, not ${shown}`)
  if (text > dayOf(Date.now()))
    throw usage(importCommand, `--close must be a date that is not in the future, not ${shown}`)
  return text
}

/** The format and the files that the arguments specify. */
function readFormat([name, ...rest]: readonly string[]): { format: string; inputs: readonly string[] } {
  if (name === undefined)
    throw usage(
      importCommand,
      `no format: specify one of ${names.join(', ')} and the files, or one of ${CANONICAL_KINDS.join(', ')}, a dataset and the files`,
    )
  if (!isCanonicalKind(name)) {
    if (!names.includes(name))
      throw usage(
        importCommand,
        `unknown format ${JSON.stringify(name)}: did you mean ${closest(name, [...names, ...CANONICAL_KINDS])}?`,
      )
    return { format: name, inputs: rest }
  }
  const [dataset, ...inputs] = rest
  if (dataset === undefined)
    throw usage(importCommand, `no dataset: specify one of ${importable().join(', ')}`)
  return { format: `${name}-${dataset}`, inputs }
}

function summaryOf(report: Awaited<ReturnType<typeof importFiles>>): string {
  const { files, skipped, rows, rejected, faults, notes, warnings, rejectsFile, snapshot, published } = report
  if (!published)
    return `Nothing new in ${counted(files, 'file')}: ${snapshot === null ? 'the lake is still empty' : `snapshot ${snapshot} is unchanged`}.`
  const known = skipped > 0 ? `, ${counted(skipped, 'file')} already imported` : ''
  const bad =
    rejected > 0 ? ` ${counted(rejected, 'row')} rejected (${reasons(faults)}): see ${rejectsFile}.` : ''
  const dropped = notes.length > 0 ? ` Left out: ${reasons(notes)}.` : ''
  const suspicious = warnings.length > 0 ? ` Warnings: ${reasons(warnings)}.` : ''
  return `Imported ${counted(rows, 'row')} from ${counted(files - skipped, 'file')}${known}: snapshot ${snapshot}.${bad}${dropped}${suspicious}`
}

const reasons = (faults: readonly Fault[]) =>
  `${faults.map(({ fault, rows }) => `${fault}: ${count(rows)}`).join('; ')}${faults.length === FAULTS_SHOWN ? '; …' : ''}`

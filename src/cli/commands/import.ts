import { closeDays } from '../../lake/import/close.ts'
import { draftFrom } from '../../lake/import/detect/detect.ts'
import { importable } from '../../lake/import/format/canonical.ts'
import { importFiles } from '../../lake/import/import.ts'
import { usage } from '../command/arguments.ts'
import type { Arguments, Command } from '../command/command.ts'
import { writerMemory } from '../command/maintenance.ts'
import { formatHelp, formatList } from '../help/format.ts'
import { closingDate, foreign, formatFlags, formatIn, names } from '../import/arguments.ts'
import { requestsOf } from '../import/requests.ts'
import { summaryOf } from '../import/summary.ts'
import { printable } from '../terminal/printable.ts'
import { progressOn, untilInterrupted } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'

export const importCommand: Command = {
  name: 'import',
  usage: '[<format>] <file-or-folder…>  |  csv|ndjson|parquet <dataset> <file-or-folder…>  |  --close DATE',
  details: `Without a format, files are recognised by their content. Formats: ${names.join(', ')}. Run tapehouse import --list for a description of each one, tapehouse import <format> --help for its columns. csv, ndjson (one JSON object per line) and parquet are files with the columns of a dataset, by name and in any order. Datasets: ${importable().join(', ')}. In these files, times are ISO 8601 (UTC if they have no time zone), decimals are in plain notation with at most as many decimal places as the column, and lists are JSON arrays or [a, b]. Text files may be compressed (.gz, .zst). Importing the same files again changes nothing, unless other files have replaced their rows since. New rows replace rows with the same key. Rejected rows are written to rejects/ in the lake with their line and the reason. An operation without a date uses the last closed trading day: one with about as many rows as usual, or one that --close closed.`,
  examples: [
    'tapehouse import data/samples/daily-bars/daily-bars.csv --lake data/lake',
    'tapehouse import daily-bars data/samples/daily-bars/daily-bars.csv --lake data/lake',
    'tapehouse import csv option_trades data/samples/canonical/option_trades.csv --lake data/lake',
    'tapehouse import --close 2024-01-03 --lake data/lake',
  ],
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {
    list: { help: 'List the file formats.' },
    map: {
      value: 'FILE',
      help: 'Import files as the layout in this JSON file describes them: see docs/formats/layouts.md.',
    },
    'map-from': {
      value: 'FILE',
      help: 'Write a first layout for a file to standard output, with questions to answer. The format may be given.',
    },
    strict: { help: 'Reject rows with warnings.' },
    force: { help: 'Import files again that the lake has already.' },
    close: {
      value: 'YYYY-MM-DD',
      help: 'Close the trading days up to this one, even if they have few rows. Without files: only close them.',
    },
  },
  flagsFor: argv =>
    Object.fromEntries(
      formatFlags(argv).map(({ name, meaning }) => [name, { help: meaning, value: 'TEXT' }]),
    ),
  helpFor: argv => {
    const format = formatIn(argv)
    return format && formatHelp(format)
  },
  run: async ({
    positionals,
    settings,
    flags: { list, close: dates, strict, force, map, 'map-from': from, ...options },
  }) => {
    if (list?.length) {
      process.stdout.write(formatList(foreign))
      return 0
    }
    const [example] = from ?? []
    if (example !== undefined) {
      process.stdout.write(`${JSON.stringify(await draftFrom(example, positionals[0]), null, 2)}\n`)
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
    const { requests, recognised } = await requestsOf(positionals, map?.[0])
    const progress = progressOn(process.stderr)
    try {
      for (const line of recognised) process.stdout.write(`${printable(line)}\n`)
      for (const request of requests) {
        if (request.inputs.length === 0)
          throw usage(importCommand, 'no files to import: specify files or folders')
        const report = await importFiles({
          ...request,
          options: valuesOf(options),
          lake: settings.lake,
          observe: progress.observe,
          signal: untilInterrupted(),
          memoryBytesMax: writerMemory(settings),
          threads: engineThreads(settings.threads, 1),
          isStrict: strict !== undefined && strict.length > 0,
          isForced: force !== undefined && force.length > 0,
          ...(close === null ? {} : { close }),
        })
        progress.end()
        process.stdout.write(`${summaryOf(report)}\n`)
      }
    } finally {
      progress.end()
    }
    return 0
  },
}

const valuesOf = (flags: Arguments['flags']) =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, [value]]) => (value === undefined ? [] : [[name, value]])),
  )

import { resolve } from 'node:path'
import { closeDays } from '../../lake/import/close.ts'
import { draftFrom } from '../../lake/import/detect/detect.ts'
import { importable } from '../../lake/import/format/canonical.ts'
import { importFiles } from '../../lake/import/import.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { writerDefaults } from '../command/maintenance.ts'
import { commandProofs } from '../command/proofs.ts'
import { formatHelp, formatList } from '../help/format.ts'
import { closingDate, flagValues, foreign, formatFlags, formatIn, names } from '../import/arguments.ts'
import { requestsOf } from '../import/requests.ts'
import { refusedLines, summaryJson, summaryOf } from '../import/summary.ts'
import { watchFolder } from '../import/watch.ts'
import { untilInterrupted } from '../terminal/interrupt.ts'
import { printable } from '../terminal/printable.ts'
import { progressOn } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'

const isSet = (values: readonly string[] | undefined) => values !== undefined && values.length > 0

export const importCommand: Command = {
  name: 'import',
  usage: '[<format>] <file-or-folder…>  |  csv|ndjson|parquet <dataset> <file-or-folder…>  |  --close DATE',
  details: `Without a format, files are recognised by their content. Formats: ${names.join(', ')}. Run tapehouse import --list for a description of each one, tapehouse import <format> --help for its columns. csv, ndjson (one JSON object per line) and parquet are files with the columns of a dataset, by name and in any order. Datasets: ${importable().join(', ')}. In these files, times are ISO 8601 (UTC if they have no time zone), decimals are in plain notation with at most as many decimal places as the column, and lists are JSON arrays or [a, b]. Files may be compressed (.gz, .zst), members of archives (.zip, .tar, .tar.gz), workbooks (.xlsx), or - for standard input. Importing the same files again changes nothing, unless other files have replaced their rows since. New rows replace rows with the same key. Rejected rows are written to rejects/ in the lake with their line and the reason. An operation without a date uses the last closed trading day: one with about as many rows as usual, or one that --close closed.`,
  examples: [
    'tapehouse import data/samples/daily-bars/daily-bars.csv --lake data/lake',
    'tapehouse import daily-bars data/samples/daily-bars/daily-bars.csv --lake data/lake',
    'tapehouse import csv option_trades data/samples/canonical/option_trades.csv --lake data/lake',
    "tapehouse import daily-bars 'data/samples/daily-bars/*.csv' --lake data/lake",
    'tapehouse import --close 2024-01-03 --lake data/lake',
  ],
  defaults: writerDefaults,
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {
    list: { help: 'List the file formats.' },
    map: {
      value: 'FILE',
      help: 'Import files as the layout in this JSON file describes them: see docs/layouts.md.',
    },
    'map-from': {
      value: 'FILE',
      help: 'Write a first layout for a file to standard output, with questions to answer. The format may be given.',
    },
    sheet: {
      value: 'NAME',
      help: 'Sheet of a workbook (.xlsx). Default: the first in which a header is found.',
    },
    encoding: {
      value: 'NAME',
      help: 'Encoding of text files, e.g. windows-1252. Default: UTF-8, and UTF-16 by its first bytes.',
    },
    strict: { help: 'Reject rows with warnings.' },
    'dry-run': { help: 'Print what would be imported, and write nothing.' },
    watch: {
      value: 'FOLDER',
      help: 'Import each file of the folder once it is complete, until Ctrl-C or SIGTERM. Files stay where they are.',
    },
    json: { help: 'Print the outcome as a JSON object, one per line if files are of several formats.' },
    'all-or-nothing': {
      help: 'Import nothing if one of several files is bad. Default: import the good files.',
    },
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
  run: async ({ positionals, settings, flags }) => {
    const {
      list,
      close: dates,
      strict,
      map,
      'map-from': from,
      sheet,
      encoding,
      force,
      json,
      'all-or-nothing': whole,
      'dry-run': dry,
      watch,
      ...own
    } = flags
    if (isSet(list)) {
      process.stdout.write(formatList(foreign))
      return 0
    }
    const [example] = from ?? []
    if (example !== undefined) {
      process.stdout.write(`${JSON.stringify(await draftFrom(example, positionals[0]), null, 2)}\n`)
      return 0
    }
    const close = closingDate(dates?.[0])
    const signal = untilInterrupted()
    const common = {
      proofs: commandProofs(settings, resolve(settings.lake)),
      options: flagValues(own),
      lake: settings.lake,
      signal,
      memoryBytesMax: settings.memoryMib * 1024 ** 2,
      threads: engineThreads(settings.threads, 1),
      isStrict: isSet(strict),
      encoding: encoding?.[0],
    }
    if (watch?.[0] !== undefined) {
      if (close !== null || isSet(dry) || isSet(json) || isSet(whole))
        throw usage(importCommand, '--watch goes without --close, --dry-run, --json and --all-or-nothing')
      await watchFolder(watch[0], positionals, map?.[0], common).finally(common.proofs.close)
      return 0
    }
    if (close !== null && positionals.length === 0) return closeOnly(settings.lake, close)
    const isTolerant = !isSet(whole)
    const { requests, recognised, unknown } = await requestsOf(positionals, map?.[0], isTolerant)
    const progress = progressOn(process.stderr)
    const refused = [...unknown]
    try {
      for (const line of recognised)
        (isSet(json) ? process.stderr : process.stdout).write(`${printable(line)}\n`)
      if (requests.some(({ inputs }) => inputs.length === 0))
        throw usage(importCommand, 'no files to import: specify files or folders')
      const all = requests.map(request => ({
        ...request,
        ...common,
        observe: progress.observe,
        sheet: sheet?.[0],
        isForced: isSet(force),
        isOneOfMany: requests.length + unknown.length > 1,
        isAllOrNothing: !isTolerant,
        isDryRun: isSet(dry),
        ...(close === null || unknown.length > 0 ? {} : { close }),
      }))
      // Each format is a snapshot of its own, so that all files must be known to be good before the first one.
      if (!isTolerant && all.length > 1)
        for (const options of all) await importFiles({ ...options, isDryRun: true })
      for (const options of all) {
        const report = await importFiles(options)
        progress.end()
        process.stdout.write(isSet(json) ? summaryJson(report) : summaryOf(report))
        // A bad member of an archive has been found before.
        refused.push(...report.refused.filter(({ file }) => !refused.some(other => other.file === file)))
      }
      process.stderr.write(refusedLines(refused))
      return refused.length > 0 ? 1 : 0
    } finally {
      progress.end()
      common.proofs.close()
    }
  },
}

/** Closes days without files. */
async function closeOnly(lake: string, close: string): Promise<number> {
  const { snapshot, published } = await closeDays(lake, close)
  process.stdout.write(
    published
      ? `Closed the days up to ${close}: snapshot ${snapshot}.\n`
      : `The days up to ${close} are closed already: snapshot ${snapshot} is unchanged.\n`,
  )
  return 0
}

import { closest } from 'fastest-levenshtein'
import { importFiles, importFormats } from '../lake/import.ts'
import { importable } from '../lake/import-canonical.ts'
import { isKind, KINDS } from '../lake/import-format.ts'
import { FAULTS_SHOWN } from '../lake/import-rejects.ts'
import { usage } from './arguments.ts'
import type { Command } from './command.ts'
import { writerMemory } from './maintenance.ts'
import { count, counted, progressOn, untilInterrupted } from './terminal.ts'
import { engineThreads } from './threads.ts'

const foreign = importFormats.map(({ name }) => name)

export const importCommand: Command = {
  name: 'import',
  usage: '<format> <file-or-folder…>  |  csv|ndjson|parquet <dataset> <file-or-folder…>',
  details: `Formats: ${importFormats.map(({ name, summary }) => `${name} (${summary})`).join('; ')}; or csv, ndjson (one JSON object a line) and parquet with the columns of a dataset, by name and in any order: ${importable().join(', ')}. In CSV and JSON, times are ISO 8601 (UTC without a zone), decimals in plain notation with no more places than the column has, lists JSON arrays or [a, b]. CSV and ndjson may be packed (.gz, .zst). The same input twice changes nothing; overlapping input replaces rows of the same key. Rows that do not fit go to rejects/ in the lake with their line and the reason.`,
  examples: [
    'tapehouse import daily-bars data/samples/daily-bars.csv --lake data/lake',
    'tapehouse import csv option_trades data/samples/canonical/option_trades.csv --lake data/lake',
  ],
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {},
  run: async ({ positionals, settings }) => {
    const { format, inputs } = readFormat(positionals)
    if (inputs.length === 0) throw usage(importCommand, 'say which files or folders to import')
    const progress = progressOn(process.stderr)
    try {
      const report = await importFiles({
        format,
        inputs,
        lake: settings.lake,
        observe: progress.observe,
        signal: untilInterrupted(),
        memoryBytesMax: writerMemory(settings),
        threads: engineThreads(settings.threads, 1),
      })
      progress.end()
      process.stdout.write(`${summaryOf(report)}\n`)
    } finally {
      progress.end()
    }
    return 0
  },
}

/** The format and the files that the words after the command's name mean. */
function readFormat([name, ...rest]: readonly string[]): { format: string; inputs: readonly string[] } {
  const names = [...foreign, ...KINDS]
  if (name === undefined)
    throw usage(
      importCommand,
      `say a format (${foreign.join(', ')}) and the files, or ${KINDS.join(', ')} with a dataset and the files`,
    )
  if (!isKind(name)) {
    if (!foreign.includes(name))
      throw usage(
        importCommand,
        `there is no format ${JSON.stringify(name)}: did you mean ${closest(name, names)}?`,
      )
    return { format: name, inputs: rest }
  }
  const [dataset, ...inputs] = rest
  if (dataset === undefined) throw usage(importCommand, `say a dataset: one of ${importable().join(', ')}`)
  return { format: `${name}-${dataset}`, inputs }
}

function summaryOf(report: Awaited<ReturnType<typeof importFiles>>): string {
  const { files, skipped, rows, rejected, faults, rejectsFile, snapshot, published } = report
  if (!published)
    return `Nothing new in ${counted(files, 'file')}: snapshot ${snapshot ?? 'none'} stays as it is.`
  const known = skipped > 0 ? `, ${counted(skipped, 'file')} known already` : ''
  const bad =
    rejected > 0
      ? ` ${counted(rejected, 'row')} rejected (${faults.map(({ fault, rows }) => `${fault}: ${count(rows)}`).join('; ')}${faults.length === FAULTS_SHOWN ? '; …' : ''}): see ${rejectsFile}.`
      : ''
  return `Imported ${counted(rows, 'row')} from ${counted(files - skipped, 'file')}${known}: snapshot ${snapshot}.${bad}`
}

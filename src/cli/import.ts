import { closest } from 'fastest-levenshtein'
import { importFiles, importFormats } from '../lake/import.ts'
import { usage } from './arguments.ts'
import type { Command } from './command.ts'
import { counted, progressOn, untilInterrupted } from './terminal.ts'
import { engineThreads } from './threads.ts'

export const importCommand: Command = {
  name: 'import',
  usage: '<format> <file-or-folder…>',
  details: `Formats: ${importFormats.map(({ name, summary }) => `${name} (${summary})`).join('; ')}. The same input twice changes nothing; overlapping input replaces rows of the same key. Rows that do not fit go to rejects/ in the lake with their line and the reason.`,
  examples: ['tapehouse import daily-bars data/samples/daily-bars.csv --lake data/lake'],
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {},
  run: async ({ positionals, settings }) => {
    const [format, ...inputs] = positionals
    const names = importFormats.map(({ name }) => name)
    if (format === undefined) throw usage(importCommand, `say a format (${names.join(', ')}) and the files`)
    if (!names.includes(format))
      throw usage(
        importCommand,
        `there is no format ${JSON.stringify(format)}: did you mean ${closest(format, names)}?`,
      )
    if (inputs.length === 0) throw usage(importCommand, 'say which files or folders to import')
    const progress = progressOn(process.stderr)
    try {
      const report = await importFiles({
        format,
        inputs,
        lake: settings.lake,
        observe: progress.observe,
        signal: untilInterrupted(),
        memoryBytesMax: settings.memoryMib * 1024 ** 2,
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

function summaryOf(report: Awaited<ReturnType<typeof importFiles>>): string {
  const { files, skipped, rows, rejected, rejectsFile, snapshot, published } = report
  if (!published)
    return `Nothing new in ${counted(files, 'file')}: snapshot ${snapshot ?? 'none'} stays as it is.`
  const known = skipped > 0 ? `, ${counted(skipped, 'file')} known already` : ''
  const bad = rejected > 0 ? ` ${counted(rejected, 'row')} rejected: see ${rejectsFile}.` : ''
  return `Imported ${counted(rows, 'row')} from ${counted(files - skipped, 'file')}${known}: snapshot ${snapshot}.${bad}`
}

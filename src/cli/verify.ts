import { verify } from '../lake/verify.ts'
import { usage } from './arguments.ts'
import type { Command } from './command.ts'
import { withWriter } from './maintenance.ts'
import { counted } from './terminal.ts'

export const verifyCommand: Command = {
  name: 'verify',
  usage: '[flags]',
  details:
    'Compares bytes, checksum, columns, rows, dates and key ranges with what the snapshot says. Exit code 1 if anything is wrong.',
  examples: ['tapehouse verify --lake data/lake'],
  settings: ['lake', 'memoryMib', 'threads'],
  flags: {},
  run: async ({ positionals, settings }) => {
    if (positionals.length > 0)
      throw usage(verifyCommand, `verify takes no argument such as ${JSON.stringify(positionals[0])}`)
    const { files, problems, snapshot } = await withWriter(settings, settings.lake, verify)
    for (const { file, problem } of problems) process.stderr.write(`${file}: ${problem}\n`)
    if (problems.length > 0) {
      process.stderr.write(
        `tapehouse: snapshot ${snapshot} has ${counted(problems.length, 'problem')}: restore these files from a backup, or import their data again\n`,
      )
      return 1
    }
    process.stdout.write(`Snapshot ${snapshot}: ${counted(files, 'file')} as they should be.\n`)
    return 0
  },
}

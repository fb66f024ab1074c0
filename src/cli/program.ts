import { FAILURES, Failure, firstLine } from '../engine/failure.ts'
import { nearestName } from '../engine/nearest-name.ts'
import { version } from '../engine/resources.ts'
import { readArguments } from './command/arguments.ts'
import { type CommandName, commandNames, loadCommand, summaryOf } from './commands.ts'
import { commandHelp, programHelp } from './help.ts'

/** Runs one command and returns the exit code: 0 success, 1 failure, 2 usage error. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  try {
    const [name, ...rest] = argv
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
      process.stdout.write(programHelp())
      return name === undefined ? 2 : 0
    }
    if (name === '--version' || name === '-v') {
      process.stdout.write(`${version()}\n`)
      return 0
    }
    return await runCommand(nameOf(name), rest)
  } catch (thrown) {
    return reportError(thrown)
  }
}

function nameOf(name: string): CommandName {
  const found = commandNames.find(candidate => candidate === name)
  if (found === undefined) {
    const hint = nearestName(name, [...commandNames])
    throw new Failure(
      'usage',
      `unknown command ${JSON.stringify(name)}: did you mean ${hint}? (see tapehouse --help)`,
    )
  }
  return found
}

async function runCommand(name: CommandName, argv: readonly string[]): Promise<number> {
  const command = await loadCommand(name)
  const parsed = readArguments(command, argv, process.env)
  if (parsed === 'help') {
    process.stdout.write(command.helpFor?.(argv) ?? commandHelp(summaryOf(name), command, argv))
    return 0
  }
  return (await command.run(parsed)) ?? 0
}

/** Writes one line to standard error, for a defect also the stack trace. Returns the exit code. */
function reportError(thrown: unknown): number {
  if (thrown instanceof Failure) {
    process.stderr.write(`tapehouse: ${firstLine(thrown)}\n`)
    return FAILURES[thrown.code].exit
  }
  process.stderr.write(`tapehouse: internal error: ${firstLine(thrown)}\n`)
  if (thrown instanceof Error && thrown.stack) process.stderr.write(`${thrown.stack}\n`)
  return 1
}

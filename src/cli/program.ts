import { setImmediate } from 'node:timers/promises'
import { explainLoad } from '../engine/explain.ts'
import { FAILURES, Failure, firstLine } from '../engine/failure.ts'
import { guess } from '../engine/nearest-name.ts'
import { version } from '../engine/resources.ts'
import { useTemporaryRoot } from '../engine/temporary-folder.ts'
import { readArguments } from './command/arguments.ts'
import { type CommandName, commandNames, loadCommand, summaryOf } from './commands.ts'
import { commandHelp, programHelp } from './help.ts'
import { endWhenInterrupted, interruptedCode } from './terminal/interrupt.ts'
import { outputFailure, prepareOutput } from './terminal/standard-output.ts'

/** Runs one command and returns the exit code: 0 success, 1 failure, 2 usage error, 130 or 143 if a signal ended it. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  prepareOutput()
  endWhenInterrupted()
  try {
    const exitCode = await run(argv)
    // The error of the last line is reported in the next turn.
    await setImmediate()
    const failure = outputFailure()
    if (failure === null) return exitCode
    throw failure
  } catch (thrown) {
    return reportError(outputFailure() ?? explainLoad(thrown))
  }
}

async function run([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(programHelp())
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-V' || name === '-v') {
    process.stdout.write(`${version()}\n`)
    return 0
  }
  return runCommand(nameOf(name), rest)
}

function nameOf(name: string): CommandName {
  const found = commandNames.find(candidate => candidate === name)
  if (found === undefined) {
    const hint = guess(name, [...commandNames])
    throw new Failure('usage', `unknown command ${JSON.stringify(name)}${hint} (see tapehouse --help)`)
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
  useTemporaryRoot(parsed.settings.tempDir)
  return (await command.run(parsed)) ?? 0
}

/** Writes one line to standard error, for a defect also the stack trace. Returns the exit code. */
function reportError(thrown: unknown): number {
  if (thrown instanceof Failure) {
    process.stderr.write(`tapehouse: ${firstLine(thrown)}\n`)
    const ended = thrown.code === 'canceled' ? interruptedCode() : null
    return ended ?? FAILURES[thrown.code].exit
  }
  process.stderr.write(`tapehouse: internal error: ${firstLine(thrown)}\n`)
  if (thrown instanceof Error && thrown.stack) process.stderr.write(`${thrown.stack}\n`)
  return 1
}

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { read, root } from '../house/source.ts'

/** The environment of a person who runs a command, without the settings of the program, the test runner and npm. */
export const inherited = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TAPEHOUSE_|VITEST|NODE_|npm_)/i.test(name)),
  )

export interface Shell {
  /** Runs lines in this shell, so that variables last, and returns their standard output. Rejects if a command fails. */
  run(script: string): Promise<string>
  /** Runs a command that serves until it is interrupted. Returns what it wrote until its standard output is enough. */
  start(command: string, isReady: (output: string) => boolean): Promise<string>
  /** Interrupts the command as Ctrl-C does, and waits until it has ended. */
  interrupt(): Promise<void>
}

const END = '--- end of the block ---'
const hasEnded = ({ stdout }: Output) => stdout.endsWith(`${END}\n`)

/** A shell that stops at the first failing command. It is killed, with what it runs, when the test is over. */
export function openShell(
  cwd: string,
  env: NodeJS.ProcessEnv,
  [program, ...args]: readonly [string, ...string[]] = ['bash', '-e'],
): Shell {
  // A process group of its own: Ctrl-C reaches each of its processes, npm and its shell among them.
  const shell = spawn(program, args, { cwd, env, detached: true })
  const signal = (name: NodeJS.Signals) => {
    if (shell.pid !== undefined && shell.exitCode === null && shell.signalCode === null)
      process.kill(-shell.pid, name)
  }
  onTestFinished(() => signal('SIGKILL'))
  // Commands are interrupted, the shell is not.
  shell.stdin.write('trap : INT\n')
  return {
    async run(script) {
      const output = outputUntil(shell, hasEnded)
      shell.stdin.write(`${script}\necho '${END}'\n`)
      return (await output).stdout.slice(0, -`${END}\n`.length)
    },
    async start(command, isReady) {
      const output = outputUntil(shell, written => hasEnded(written) || isReady(written.stdout))
      shell.stdin.write(`${command}\necho '${END}'\n`)
      const written = await output
      if (hasEnded(written)) throw new Error(`it did not serve: ${command}\n${written.stdout}`)
      return written.stdout + written.stderr
    },
    async interrupt() {
      const ended = outputUntil(shell, hasEnded)
      signal('SIGINT')
      await ended
    },
  }
}

/**
 * Links a folder to what a clone has after `npm ci`. Its package has no command of its own, which npx would prefer to the
 * linked one in node_modules, and install from the folder.
 */
export function linkClone(folder: string): void {
  mkdirSync(join(folder, 'data'))
  for (const path of ['bin', 'node_modules', 'data/samples'])
    symlinkSync(join(root, path), join(folder, path))
  const { bin: _, ...described } = JSON.parse(read('package.json')) as Record<string, unknown>
  writeFileSync(join(folder, 'package.json'), JSON.stringify(described))
}

interface Output {
  readonly stdout: string
  readonly stderr: string
}

/** What a process writes from now on until it is enough. Rejects if it ends before that. */
function outputUntil(process: ChildProcessWithoutNullStreams, isEnough: (output: Output) => boolean) {
  return new Promise<Output>((resolve, reject) => {
    const output = { stdout: '', stderr: '' }
    const finish = (settle: () => void) => {
      process.stdout.off('data', onStdout)
      process.stderr.off('data', onStderr)
      process.off('close', onClose)
      settle()
    }
    const onStderr = (chunk: Buffer) => {
      output.stderr += chunk
    }
    const onStdout = (chunk: Buffer) => {
      output.stdout += chunk
      if (isEnough(output)) finish(() => resolve(output))
    }
    const onClose = (code: number | null) =>
      finish(() =>
        reject(new Error(`a command failed with exit code ${code}:\n${output.stdout}${output.stderr}`)),
      )
    process.stdout.on('data', onStdout)
    process.stderr.on('data', onStderr)
    process.once('close', onClose)
  })
}

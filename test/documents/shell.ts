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
}

const END = '--- end of the block ---'

/** A bash that stops at the first failing command. Killed when the test is over. */
export function openShell(cwd: string, env: NodeJS.ProcessEnv): Shell {
  const bash = spawn('bash', ['-e'], { cwd, env })
  onTestFinished(() => {
    bash.kill()
  })
  return {
    async run(script) {
      const output = outputUntil(bash, ({ stdout }) => stdout.endsWith(`${END}\n`))
      bash.stdin.write(`${script}\necho '${END}'\n`)
      return (await output).stdout.slice(0, -`${END}\n`.length)
    },
  }
}

export interface Server {
  /** What it wrote before it was ready. */
  readonly output: string
  /** Interrupts it as Ctrl-C does, and waits until it has ended. */
  stop(): Promise<void>
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

/** Runs a command that serves until it is interrupted, and waits until its output says that it does. */
export async function serve(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  isReady: (output: string) => boolean,
): Promise<Server> {
  // A process group of its own: Ctrl-C reaches each of its processes, npm and bash among them.
  const group = spawn('bash', ['-e', '-c', script], { cwd, env, detached: true })
  const ended = new Promise<void>(resolve => group.once('close', () => resolve()))
  const signal = (name: NodeJS.Signals) => {
    if (group.pid !== undefined && group.exitCode === null && group.signalCode === null)
      process.kill(-group.pid, name)
    return ended
  }
  onTestFinished(() => signal('SIGKILL'))
  const { stdout, stderr } = await outputUntil(group, written => isReady(written.stdout))
  return { output: stdout + stderr, stop: () => signal('SIGINT') }
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

import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { conditions } from '../fixtures/until.ts'

const command = fileURLToPath(new URL('../../bin/tapehouse.js', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

/** Starts a program that is `tapehouse`, with its arguments and settings. */
export type Launch = (args: readonly string[], env: Record<string, string>) => ChildProcess

/** Runs `tapehouse` with these arguments and waits for its end. `env` has the only TAPEHOUSE_ settings. */
export function tapehouse(
  args: readonly string[],
  env: Record<string, string> = {},
  launch: Launch = start,
): Promise<Ended> {
  const child = launch(args, env)
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout?.on('data', chunk => stdout.push(chunk))
  child.stderr?.on('data', chunk => stderr.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code =>
      resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    )
  })
}

/** A process of a command that runs until a signal. */
export interface Running {
  readonly process: ChildProcess
  /** Everything written so far to standard output and standard error. */
  readonly output: () => string
  /**
   * Resolves once `holds` returns true; it is called now and whenever the process writes. Rejects if the process ends, and
   * after five minutes, with what it has written.
   */
  until(holds: () => boolean): Promise<void>
  /** Sends a signal and waits for the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface Server extends Running {
  readonly url: string
  readonly adminUrl: string
}

/** So long a test waits for what a process writes. */
const UNTIL_MS = 300_000

const lastLines = (output: string) => output.split('\n').slice(-100).join('\n')

/** Starts `tapehouse`. It is stopped at the end of the test. */
export function running(
  args: readonly string[],
  env: Record<string, string> = {},
  launch: Launch = start,
): Running {
  const child = launch(args, env)
  let output = ''
  const written = conditions()
  const heard = (chunk: unknown) => {
    output += String(chunk)
    written.check()
  }
  child.stdout?.on('data', heard)
  child.stderr?.on('data', heard)
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const failed = ended.then(() => Promise.reject(new Error(`tapehouse ended:\n${output}`)))
  failed.catch(() => {})
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL')
  })
  const until = async (holds: () => boolean) => {
    let timer: NodeJS.Timeout | undefined
    const overdue = new Promise<never>((_, reject) => {
      const give = () =>
        reject(new Error(`what was waited for did not happen; the last lines:\n${lastLines(output)}`))
      timer = setTimeout(give, UNTIL_MS)
    })
    await Promise.race([written.until(holds), failed, overdue]).finally(() => clearTimeout(timer))
  }
  return { process: child, output: () => output, until, stop }
}

/** Starts `tapehouse serve` on free ports and waits until it listens. It is stopped at the end of the test. */
export async function serving(
  args: readonly string[],
  env: Record<string, string> = {},
  launch: Launch = start,
): Promise<Server> {
  return listening(['serve', '--port', '0', '--admin-port', '0', ...args], env, launch)
}

/** Starts a command that serves, and waits until it listens. It is stopped at the end of the test. */
export async function listening(
  args: readonly string[],
  env: Record<string, string> = {},
  launch: Launch = start,
): Promise<Server> {
  const server = running(args, env, launch)
  const addresses = () => [
    /https?:\/\/[\d.]+:\d+(?=\n|$)/m.exec(server.output())?.[0],
    /(http:\/\/[\d.]+:\d+)\/-\//.exec(server.output())?.[1],
  ]
  await server.until(() => addresses().every(address => address !== undefined))
  const [url = '', adminUrl = ''] = addresses()
  return { ...server, url, adminUrl }
}

/**
 * Starts `tapehouse`. `env` has the only TAPEHOUSE_ settings, but for the folder of the run in place of the user's cache.
 * `standardError` is another file descriptor than a pipe that is read.
 */
export function start(
  args: readonly string[],
  env: Record<string, string>,
  standardError: number | 'pipe' = 'pipe',
): ChildProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TAPEHOUSE_|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name),
  )
  return spawn(process.execPath, [command, ...args], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), TAPEHOUSE_PROOFS_DIR: join(tmpdir(), 'proofs'), ...env },
    stdio: ['ignore', 'pipe', standardError],
  })
}

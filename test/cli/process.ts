import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const command = fileURLToPath(new URL('../../bin/tapehouse.js', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

/** Runs `tapehouse` with these arguments and waits for its end. `env` has the only TAPEHOUSE_ settings. */
export function tapehouse(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = start(args, env)
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

export interface Server {
  readonly process: ChildProcess
  readonly url: string
  readonly adminUrl: string
  /** Everything written so far to standard output and standard error. */
  readonly output: () => string
  /** Sends a signal and waits for the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Includes the time to generate the market of a demo. */
const START_MS = 100_000

/** Starts `tapehouse serve` on free ports and waits until it listens. It is stopped at the end of the test. */
export async function serving(args: readonly string[], env: Record<string, string> = {}): Promise<Server> {
  const child = start(['serve', '--port', '0', '--admin-port', '0', ...args], env)
  let output = ''
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  child.stderr?.on('data', chunk => {
    output += chunk
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL')
  })
  const until = performance.now() + START_MS
  for (;;) {
    const [url] = /http:\/\/[\d.]+:\d+(?=\n|$)/m.exec(output) ?? []
    const [, adminUrl] = /(http:\/\/127\.0\.0\.1:\d+)\/-\//.exec(output) ?? []
    if (url && adminUrl) return { process: child, url, adminUrl, output: () => output, stop }
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`the server did not start:\n${output}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

function start(args: readonly string[], env: Record<string, string>): ChildProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TAPEHOUSE_|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name),
  )
  return spawn(process.execPath, [command, ...args], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server in processes of its own, whose processor time and memory are those of the whole tree. */
export interface Started {
  readonly pid: number
  readonly port: number
  /** What it has printed so far. */
  output(): string
  stop(): Promise<void>
}

interface Command {
  readonly command: string
  readonly arguments: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly folder?: string
  readonly port: number
}

const READY_WITHIN_MS = 60_000

/** Servers that run. Their process groups do not end with this process, so that it ends them. */
const living = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of living) killGroup(child, 'SIGKILL')
})

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/** Starts a server, and waits until `isReady` accepts what the server has printed, or what its port answers. */
export async function start(
  { command, arguments: args, environment = {}, folder, port }: Command,
  isReady: (output: string) => boolean | Promise<boolean>,
): Promise<Started> {
  // A process group of its own, so that all its processes can be ended together.
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
    ...(folder === undefined ? {} : { cwd: folder }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output = (output + chunk).slice(-65_536)
    })
  let failure: Error | null = null
  child.once('error', error => {
    failure = error
  })
  living.add(child)
  // All of its processes have ended, and all that they have printed was read.
  const closed = new Promise<void>(resolve => {
    child.once('close', () => {
      living.delete(child)
      resolve()
    })
  })
  const stop = () => end(child, closed)
  const until = performance.now() + READY_WITHIN_MS
  while (!(await isReady(output))) {
    if (failure !== null || hasEnded(child) || performance.now() > until) {
      await stop()
      throw new Error(`${command} ${args.join(' ')} does not serve: ${failure ?? output.slice(-2000)}`)
    }
    await sleep(50)
  }
  return { pid: child.pid ?? 0, port, output: () => output, stop }
}

async function end(child: ChildProcess, closed: Promise<void>): Promise<void> {
  if (living.has(child)) killGroup(child, 'SIGTERM')
  await Promise.race([closed, sleep(5000, undefined, { ref: false })])
  if (living.has(child)) killGroup(child, 'SIGKILL')
  await closed
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** A port of loopback that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Running, running } from '../cli/process.ts'

/** A program in a root and a network of its own, as in a container. */
export interface Container extends Running {
  /** Its id on this machine. */
  readonly pid: number
  /** Its exit code, when it has ended. */
  readonly ended: Promise<number | null>
}

/** The program and first arguments of a command that runs in the root and the network of a container, as root. */
export const inContainer = ({ pid }: Container): [string, ...string[]] => [
  '/usr/bin/nsenter',
  `--target=${pid}`,
  ...['--mount', '--net', '--uts', '--ipc'],
]

const BWRAP = '/usr/bin/bwrap'

/** What each container has. The network is its loopback. */
const ISOLATION = [
  ...['--unshare-net', '--unshare-uts', '--unshare-ipc', '--proc', '/proc', '--dev', '/dev'],
  ...['--clearenv', '--die-with-parent'],
]

/**
 * Starts a program with these options of `bwrap`, the first of which mount its root, and this environment alone. It ends with the
 * test.
 */
export async function contain(
  mounts: readonly string[],
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Container> {
  const set = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])
  const child = spawn(BWRAP, [...mounts, ...ISOLATION, ...set, '--info-fd', '3', '--', ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const started = running([], {}, () => child)
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const pid = await childOf(child)
  // It is in its root when it no longer runs the program of `bwrap`.
  while (child.exitCode === null && programOf(pid) === BWRAP) await sleep(5)
  return { ...started, pid, ended }
}

/** The program that a process runs; undefined once it has ended. */
function programOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`)
  } catch {
    return undefined
  }
}

/** The id of the program, which `bwrap` writes to the third pipe. */
async function childOf(bwrap: ChildProcess): Promise<number> {
  let text = ''
  for await (const chunk of bwrap.stdio[3] as Readable) text += String(chunk)
  return (JSON.parse(text) as { 'child-pid': number })['child-pid']
}

/** Runs a command in a container, and returns its standard output. */
export function runIn(container: Container, command: readonly string[]): string {
  const [program = '', ...args] = [...inContainer(container), ...command]
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  })
}

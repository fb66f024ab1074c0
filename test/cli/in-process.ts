import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'
import { THREADS } from '../fixtures/threads.ts'
import type { Ended } from './process.ts'

type Written = string | Uint8Array
type Callback = (error?: Error | null) => void

/**
 * Runs a command in this process, which takes a tenth of the time that a process of its own takes. The environment holds
 * no TAPEHOUSE_ setting but the number of threads, the folder of proofs and those in `env`. Use `tapehouse` of process.ts for what only a process shows: signals, pipes,
 * the build, several commands at once.
 */
export async function tapehouseHere(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const settings = Object.keys(process.env).filter(name => name.startsWith('TAPEHOUSE_'))
  for (const name of settings) vi.stubEnv(name, undefined)
  const own = { TAPEHOUSE_THREADS: `${THREADS}`, TAPEHOUSE_PROOFS_DIR: join(tmpdir(), 'proofs') }
  for (const [name, value] of Object.entries({ ...own, ...env })) vi.stubEnv(name, value)
  const listening = SIGNALS.map(signal => [signal, process.listeners(signal)] as const)
  const stdout = capture('stdout')
  const stderr = capture('stderr')
  try {
    const code = await runProgram(args)
    return { code, stdout: Buffer.concat(stdout.chunks), stderr: Buffer.concat(stderr.chunks).toString() }
  } finally {
    stdout.restore()
    stderr.restore()
    vi.unstubAllEnvs()
    // A command listens for signals until its process ends.
    for (const [signal, before] of listening)
      for (const listener of process.listeners(signal))
        if (!before.includes(listener)) process.off(signal, listener)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Collects what is written to a stream instead of writing it. */
function capture(name: 'stdout' | 'stderr') {
  const stream = process[name]
  const chunks: Buffer[] = []
  const listeners = stream.listeners('error')
  const write = vi
    .spyOn(stream, 'write')
    .mockImplementation((content: Written, second?: BufferEncoding | Callback, third?: Callback) => {
      chunks.push(Buffer.from(content as string))
      const callback = typeof second === 'function' ? second : third
      if (callback !== undefined) queueMicrotask(callback)
      return true
    })
  return {
    chunks,
    restore() {
      write.mockRestore()
      for (const listener of stream.listeners('error'))
        if (!listeners.includes(listener)) stream.off('error', listener as () => void)
    },
  }
}

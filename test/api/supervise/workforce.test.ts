import cluster, { type Worker } from 'node:cluster'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { WorkerMessage } from '../../../src/api/process/messages.ts'
import { openPort } from '../../../src/api/supervise/port.ts'
import { hireWorkers } from '../../../src/api/supervise/workforce.ts'
import type { Observation } from '../../../src/engine/observation.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { conditions } from '../../fixtures/until.ts'

/**
 * A worker without a lake. It answers each connection with the number of its process, except that the first one has to wait until
 * the worker ends. `say` makes it send a message.
 */
const PROCESS = `
let first = null
const HANDLE = {
  connection({ id }, socket) {
    process.send({ kind: 'taken', id })
    if (first === null) first = socket
    else socket.end(String(process.pid))
  },
  ping: () => process.send({ kind: 'pong', memoryBytes: 1 }),
  say: ({ message }) => process.send(message),
  drain() {
    if (first === null) process.exit(0)
    first.end(String(process.pid), () => process.exit(0))
  },
}
process.on('message', (message, socket) => HANDLE[message.kind](message, socket))
process.send({ kind: 'ready', snapshot: 1, synthetic: false })
`

type Line = Extract<Observation, { kind: `worker_${string}` }>

/** Workers behind a port. Each start takes an error from `failures`, if there is one, and throws it. */
async function workforce(memoryBytesMax = 1000) {
  const exec = join(folderForTest(), 'worker.cjs')
  writeFileSync(exec, PROCESS)
  cluster.setupPrimary({ exec, args: [], execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const happened = conditions()
  const lines: Line[] = []
  const restarts: string[] = []
  const failures: Error[] = []
  const port = await openPort({ host: '127.0.0.1', port: 0 })
  const workers = hireWorkers({
    port,
    drainMs: 0,
    memoryBytesMax,
    observe(observation) {
      if (observation.kind.startsWith('worker_')) lines.push(observation as Line)
      happened.check()
    },
    fork() {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return cluster.fork()
    },
    onMessage() {},
    onReady: () => happened.check(),
    onEnded: () => happened.check(),
    onRestart: cause => restarts.push(cause),
  })
  onTestFinished(async () => {
    port.close()
    await workers.stop()
  })
  return {
    workers,
    port,
    lines,
    kinds: () => lines.map(({ kind }) => kind),
    restarts,
    failures,
    until: happened.until,
    /** Resolves with the number of the process that answers. */
    ask: () => text(connect(port.port, '127.0.0.1')),
  }
}

const say = (worker: Worker | undefined, message: WorkerMessage) => worker?.send({ kind: 'say', message })
const noMemory = () => Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM', syscall: 'spawn' })
const pidOf = (worker: Worker | undefined) => String(worker?.process.pid)

test.each([
  { cause: 'stuck', message: { kind: 'sick', cause: 'stuck', reason: 'a reason' }, reason: 'a reason' },
  { cause: 'engine', message: { kind: 'sick', cause: 'engine', reason: 'a reason' }, reason: 'a reason' },
  {
    cause: 'memory',
    message: { kind: 'pong', memoryBytes: 3 * 1024 ** 2 },
    reason: 'it uses 3 MiB of memory, and its share is 2 MiB',
  },
] as const)(
  'a worker that is $cause ends once another one is ready, and finishes what it does',
  async ({ cause, message, reason }) => {
    const { workers, lines, kinds, restarts, until, ask } = await workforce(2 * 1024 ** 2)
    await workers.start(1)
    const [sick] = workers.serving
    const answer = ask()
    const ended: string[] = []
    sick?.once('exit', () => ended.push(pidOf(workers.serving[0])))
    // Taken, since the next one is answered.
    expect(await ask()).toBe(pidOf(sick))
    // It says so more than once.
    say(sick, message)
    say(sick, message)
    await until(() => kinds().includes('worker_replaced'))
    expect([workers.serving, workers.working]).toEqual([[], [sick]])
    // A connection that comes now waits for the next worker, whose first one waits for its end.
    const waiting = ask()
    await until(() => workers.serving.length === 1)
    expect(await answer).toBe(pidOf(sick))
    await until(() => !workers.working.includes(sick as Worker))
    const [successor] = workers.serving
    expect(await ask()).toBe(pidOf(successor))
    expect(kinds()).toEqual(['worker_started', 'worker_replaced', 'worker_started'])
    expect(lines[1]).toEqual({
      kind: 'worker_replaced',
      worker: sick?.id,
      workerPid: sick?.process.pid,
      cause,
      reason,
    })
    expect(restarts).toEqual([cause])
    expect(ended).toEqual([pidOf(successor)])
    await workers.stop()
    expect(await waiting).toBe(pidOf(successor))
  },
)

test('the first worker is started at once, and the others when the supervisor has opened its ports', async () => {
  const { workers, kinds, until } = await workforce()
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  const started = workers.start(3, opened)
  await until(() => workers.serving.length === 1)
  expect(kinds()).toEqual(['worker_started'])
  open()
  await started
  expect(kinds()).toEqual(['worker_started', 'worker_started', 'worker_started'])
  expect(workers.serving).toHaveLength(3)
})

test('no other worker is started if a port cannot be opened', async () => {
  const { workers, kinds } = await workforce()
  const inUse = new Error('port 80 is in use')
  await expect(workers.start(2, Promise.reject(inUse))).rejects.toBe(inUse)
  expect(kinds()).toEqual(['worker_started'])
})

test('a worker for which the system has no memory is tried again, after a longer pause each time', {
  tags: 'slow',
}, async () => {
  const { workers, lines, kinds, restarts, failures, until } = await workforce()
  await workers.start(1)
  const [killed] = workers.serving
  failures.push(noMemory(), noMemory())
  process.kill(Number(pidOf(killed)), 'SIGKILL')
  await until(() => kinds().at(-2) === 'worker_ended' && workers.serving.length === 1)
  const reason = 'no process could be started: spawn ENOMEM'
  expect(lines.slice(1)).toEqual([
    {
      kind: 'worker_ended',
      worker: killed?.id,
      workerPid: killed?.process.pid,
      reason: 'killed by SIGKILL',
      pauseMs: 500,
    },
    { kind: 'worker_ended', worker: 0, workerPid: 0, reason, pauseMs: 1000 },
    { kind: 'worker_ended', worker: 0, workerPid: 0, reason, pauseMs: 2000 },
    { kind: 'worker_started', worker: expect.any(Number), workerPid: Number(pidOf(workers.serving[0])) },
  ])
  expect(restarts).toEqual(['ended', 'ended', 'ended'])
})

test('a worker whose successor cannot be started works on until one can', { tags: 'slow' }, async () => {
  const { workers, kinds, failures, until, ask } = await workforce()
  await workers.start(1)
  const [sick] = workers.serving
  const answer = ask()
  expect(await ask()).toBe(pidOf(sick))
  failures.push(noMemory())
  say(sick, { kind: 'sick', cause: 'engine', reason: 'a reason' })
  await until(() => kinds().includes('worker_ended'))
  expect([workers.serving, workers.working]).toEqual([[], [sick]])
  await until(() => workers.serving.length === 1)
  expect(await answer).toBe(pidOf(sick))
  await until(() => !workers.working.includes(sick as Worker))
  expect(kinds()).toEqual(['worker_started', 'worker_replaced', 'worker_ended', 'worker_started'])
})

test('a first worker for which the system has no memory ends the start, and a later one the restart', async () => {
  const failure = { code: 'start_refused', message: 'no process could be started: spawn ENOMEM' }
  const refused = await workforce()
  refused.failures.push(noMemory())
  await expect(refused.workers.start(1)).rejects.toMatchObject(failure)

  const { workers, kinds, failures } = await workforce()
  await workers.start(1)
  const before = workers.serving
  failures.push(noMemory())
  await expect(workers.restart()).rejects.toMatchObject(failure)
  expect([workers.serving, kinds()]).toEqual([before, ['worker_started']])
})

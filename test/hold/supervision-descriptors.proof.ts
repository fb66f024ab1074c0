import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { holdLake, light } from './lake.ts'
import { isRunning } from './running.ts'
import { type Held, holding } from './server.ts'
import { canTrace } from './strace.ts'
import { survivals } from './survivals.ts'

const survived = survivals()
const { folder, lake } = holdLake()

const CONNECTIONS = 200
const DESCRIPTORS = 64

/** Processor time of a process so far, in milliseconds. The system counts it in hundredths of a second. */
function processorMs(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

const untilServed = (server: Held) =>
  expect.poll(async () => (await server.ask(light(0))).status, { timeout: 60_000, interval: 500 }).toBe(200)

test('a supervisor without free descriptors does not spin, and starts a worker as soon as it has some', async () => {
  const server = await holding(folder, lake, [], DESCRIPTORS)
  const supervisor = Number(server.process.pid)
  const workers = () => server.processes().slice(1)
  // No connection leaves the supervisor.
  const stopped = workers()
  for (const { pid } of stopped) process.kill(pid, 'SIGSTOP')
  onTestFinished(() => {
    // A stopped process would keep the output of the server open.
    for (const { pid } of stopped) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => server.open()))
  const descriptors = () => readdirSync(`/proc/${supervisor}/fd`).length
  // What it does not need for itself waits; the others were reset.
  expect(descriptors()).toBeLessThan(DESCRIPTORS - 4)
  const usedMs = processorMs(supervisor)
  await sleep(1000)
  expect(processorMs(supervisor) - usedMs).toBeLessThan(500)
  await server.until(() => server.output().includes('"worker_replaced"'))
  for (const socket of sockets) socket.destroy()
  // The connections that wait are handed to a new worker, or reset after 15 s.
  await untilServed(server)

  // No descriptor is left for a new worker. It is tried again.
  const limit = (soft: number) => execFileSync('prlimit', ['--pid', String(supervisor), `--nofile=${soft}:`])
  limit(3)
  for (const { pid } of workers()) process.kill(pid, 'SIGKILL')
  await server.until(() => server.output().includes('no process could be started: spawn'))
  limit(DESCRIPTORS)
  await untilServed(server)
  expect(await server.stop()).toBe(0)
  survived('connection to a supervisor without descriptors', CONNECTIONS, CONNECTIONS)
})

test('a supervisor that cannot start a process for lack of memory goes on, and starts a worker as soon as it can', async ({
  skip,
}) => {
  if (!canTrace()) skip('strace may not trace processes here')
  const server = await holding(folder, lake, [])
  const [supervisor, ...workers] = server.processes()
  const calls = 'clone,clone3'
  const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=ENOMEM`]
  const strace = spawn('strace', ['-p', String(supervisor?.pid), '-o', '/dev/null', ...inject])
  onTestFinished(() => void strace.kill())
  // It says that it is attached.
  await once(strace.stderr, 'data')
  for (const { pid } of workers) process.kill(pid, 'SIGKILL')
  const tried = () => server.output().split('no process could be started: spawn ENOMEM').length - 1
  await server.until(() => tried() >= 3)
  strace.kill()
  await once(strace, 'exit')
  await untilServed(server)
  expect(await server.stop()).toBe(0)
  survived('worker for which there is no memory', tried(), tried())
})

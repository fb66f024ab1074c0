import { setTimeout as sleep } from 'node:timers/promises'
import type { Ask, HttpClient } from './http.ts'
import { processorMsBetween, processorUse } from './process-tree.ts'
import type { Started } from './started.ts'

/** So long a server first answers a request at least. */
const WARM_MS = 1500
/** V8 compiles the code of an answer in steps, of which the last ones come after hundreds of requests. */
const WARM_REQUESTS = 600
const WARM_MS_MAX = 6000

/** Sends requests in turn, so many at a time, until the code of their answers is compiled in each worker of the server. */
export async function untilCompiled(
  client: HttpClient,
  asks: readonly Ask[],
  { clients = 1, workers = 1 } = {},
): Promise<void> {
  const started = performance.now()
  let sent = 0
  const isCompiled = () => {
    const passed = performance.now() - started
    return passed > WARM_MS_MAX || (passed > WARM_MS && sent >= WARM_REQUESTS * workers)
  }
  const send = async () => {
    while (!isCompiled()) await client.send(asks[sent++ % asks.length] as Ask)
  }
  await Promise.all(Array.from({ length: clients }, send))
}

/** Processor time of a request in milliseconds: of the server's processes, one request after the other for some time. */
export async function processorMsOfRequest(
  server: Started,
  client: HttpClient,
  asks: readonly Ask[],
  forMs: number,
): Promise<number> {
  const before = processorUse(server.pid)
  const until = performance.now() + forMs
  let sent = 0
  while (performance.now() < until || sent < asks.length) {
    await client.send(asks[sent % asks.length] as Ask)
    sent += 1
  }
  return processorMsBetween(before, processorUse(server.pid)) / sent
}

const IDLE_MS = 200
const IDLE_SHARE = 0.1

/** Waits until a server without requests has nothing left to do, such as tables to copy, for at most so long. */
export async function untilIdle(server: Started, atMostMs = 20_000): Promise<void> {
  for (const until = performance.now() + atMostMs; performance.now() < until; ) {
    const before = processorUse(server.pid)
    await sleep(IDLE_MS)
    if (processorMsBetween(before, processorUse(server.pid)) < IDLE_MS * IDLE_SHARE) return
  }
}

/** Processor time of this process for a run, in milliseconds, over some time. */
export async function processorMsOfRun(run: () => Promise<void>, forMs: number): Promise<number> {
  const before = process.cpuUsage()
  const until = performance.now() + forMs
  let runs = 0
  do {
    await run()
    runs += 1
  } while (performance.now() < until)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / runs
}

import { benchLake, DEMO, exported, SMALL } from '../measure/bench-lake.ts'
import { type Ask, type HttpClient, httpClient } from '../measure/http.ts'
import { askUs } from '../measure/lake-rows.ts'
import { median } from '../measure/medians.ts'
import { processorMsOfRequest, untilIdle } from '../measure/processor-time.ts'
import { PROCESSES, servedLake } from '../measure/served-lake.ts'
import type { Started } from '../measure/started.ts'
import { type Drawn, draw } from '../peers/drawn.ts'
import { askPeer, PEERS, type Peer, prepare, rowsOfPeer, startPeer } from '../peers/peers.ts'
import { differenceOf } from '../peers/same-answer.ts'
import type { Circumstances, Measured } from '../section.ts'

/**
 * The same questions to tapehouse and to its peers, over the same data: answers are compared first. Processor time is that
 * of the whole tree of processes, for a request of one client; the rate is that of 8 clients.
 */
export async function* peers(circumstances: Circumstances): AsyncGenerator<Measured> {
  const { quick, folder, note, chosen } = circumstances
  const lake = await benchLake(folder, quick ? SMALL : DEMO)
  const data = await exported(lake)
  const drawn = (await draw(lake)).filter(({ question }) => chosen(question.name))
  const sides: Side[] = []
  const differences: string[] = []
  try {
    for (let time = 0; time < (quick ? 1 : PROCESSES); time += 1) {
      const us = await servedLake(folder, lake, { 'cache-mib': 0, workers: WORKERS })
      sides.push({
        name: OURS,
        peer: null,
        server: us,
        client: httpClient(us.port, CLIENTS),
        asks: drawn.map(({ question, requests }) =>
          requests.map(each => askUs(question.operation, each, us.token)),
        ),
      })
    }
    for (const peer of PEERS.filter(({ isQuick }) => !quick || isQuick)) {
      try {
        note(`${peer.name}: installs and loads`)
        prepare(peer, folder, data)
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown.message : String(thrown)
        note(`NOT MEASURED: ${peer.name}: ${reason}`)
        yield { name: peer.name, details: { 'not measured': reason } }
        continue
      }
      const server = await startPeer(peer, folder, data, WORKERS)
      sides.push({
        name: peer.name,
        server,
        client: httpClient(server.port, CLIENTS),
        asks: drawn.map(({ question, requests }) => requests.map(each => askPeer(peer, question, each))),
        peer,
      })
      differences.push(...(await unlike(drawn, sides[0] as Side, peer, sides.at(-1) as Side)))
    }
    if (differences.length > 0) throw new Error(`answers differ:\n${differences.join('\n')}`)
    note('warms up')
    for (const side of sides) await warmUp(side, quick ? 1500 : 5000)
    for (const [index, { question }] of drawn.entries()) yield* compared(question.name, index, sides, quick)
  } finally {
    for (const { server, client } of sides) {
      client.close()
      await server.stop()
    }
  }
}

const WORKERS = 2
const CLIENTS = 8
const OURS = 'ours'

interface Side {
  readonly name: string
  /** Null for ourselves. */
  readonly peer: Peer | null
  readonly server: Started
  readonly client: HttpClient
  /** The requests of each question. */
  readonly asks: readonly (readonly Ask[])[]
}

/** Each difference between our answers and those of a peer. */
async function unlike(drawn: readonly Drawn[], us: Side, peer: Peer, them: Side): Promise<string[]> {
  const found: string[] = []
  for (const [index, { question }] of drawn.entries()) {
    for (const [number, theirAsk] of (them.asks[index] ?? []).entries()) {
      const ask = us.asks[index]?.[number] as Ask
      const [ours, theirs] = [await parsed(us, ask), await parsed(them, theirAsk)]
      const records = question.records?.(ours as never) ?? (ours as { data: Record<string, unknown>[] }).data
      const difference = differenceOf(records, rowsOfPeer(peer, theirs))
      if (difference === null) continue
      found.push(`${peer.name} differs in ${question.name} (${ask.path}): ${difference}`)
      break
    }
  }
  return found
}

async function parsed({ name, client }: Side, ask: Ask): Promise<unknown> {
  const { status, bytes } = await client.send(ask)
  if (status !== 200) throw new Error(`${name} answers ${ask.path} with ${status}: ${bytes.subarray(0, 300)}`)
  return JSON.parse(bytes.toString('utf8'))
}

/** All its requests in turn from 8 clients: the first answers of a program that compiles while it runs cost many times more. */
async function warmUp({ server, client, asks }: Side, forMs: number): Promise<void> {
  await rate(client, asks.flat(), forMs)
  await untilIdle(server)
}

async function* compared(
  question: string,
  index: number,
  sides: readonly Side[],
  quick: boolean,
): AsyncGenerator<Measured> {
  const [rounds, processorForMs, rateForMs] = quick ? [2, 80, 200] : [5, 400, 1500]
  // A program that compiles while it runs compiles what this question needs.
  for (const { client, asks } of sides) await rate(client, asks[index] ?? [], rateForMs)
  const taken = new Map(sides.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round += 1)
    for (const { name, server, client, asks } of sides)
      taken.get(name)?.push(await processorMsOfRequest(server, client, asks[index] ?? [], processorForMs))
  const rates = new Map(sides.map(({ name }) => [name, [] as number[]]))
  for (const { name, client, asks } of sides)
    rates.get(name)?.push(await rate(client, asks[index] ?? [], rateForMs))
  const of = (name: string) => median(taken.get(name) ?? [])
  const rateOf = (name: string) => median(rates.get(name) ?? [])
  for (const { name, peer } of sides) {
    if (peer === null) continue
    yield {
      name: `${question}, ${name}`,
      ratio: of(OURS) / of(name),
      target: { atMost: peer.atMost ?? 1 },
      details: {
        'ours, processor ms': of(OURS),
        'theirs, processor ms': of(name),
        'ours, requests/s': rateOf(OURS),
        'theirs, requests/s': rateOf(name),
      },
    }
  }
}

/** Requests per second of 8 clients, each of which sends the next one when it has an answer. */
async function rate(client: HttpClient, requests: readonly Ask[], forMs: number): Promise<number> {
  const started = performance.now()
  let sent = 0
  const send = async () => {
    while (performance.now() - started < forMs) {
      const { status } = await client.send(requests[sent++ % requests.length] as Ask)
      if (status !== 200) throw new Error(`${requests[0]?.path}: ${status} under load`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, send))
  return (1000 * sent) / (performance.now() - started)
}

import { benchLake, DEMO, exported, SMALL } from '../measure/bench-lake.ts'
import { type Ask, type HttpClient, httpClient } from '../measure/http.ts'
import { askUs } from '../measure/lake-rows.ts'
import { median } from '../measure/medians.ts'
import { processorMsOfRequest, untilCompiled, untilIdle } from '../measure/processor-time.ts'
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
  if (drawn.length === 0) return
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
    for (const side of sides) await warmUp(side, quick)
    const samples: Sample[] = []
    for (let round = 1; round <= (quick ? 2 : ROUNDS); round += 1) {
      note(`round ${round}`)
      for (const [index, { question }] of drawn.entries())
        for (const side of sides)
          samples.push(await sample(question.name, side, side.asks[index] ?? [], quick))
    }
    for (const { question } of drawn)
      yield* compared(
        question.name,
        samples.filter(each => each.question === question.name),
      )
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

/** The first answers of a program that compiles while it runs cost many times more, as do ours before the copies are made. */
async function warmUp({ peer, server, client, asks }: Side, quick: boolean): Promise<void> {
  await rate(client, asks.flat(), quick ? 1500 : 3000)
  const isCompiled = peer === null || peer.isCompiled
  for (const ofQuestion of quick || !isCompiled ? [] : asks)
    await untilCompiled(client, ofQuestion, { clients: CLIENTS, workers: WORKERS })
  await untilIdle(server)
}

/**
 * All questions are asked in each round, not all rounds of one question after another: where other work on the host slows the
 * machine for a minute, that is a round of all of them.
 */
const ROUNDS = 4

/** Processor time of a request and requests per second, of one question, server and round. */
interface Sample {
  readonly question: string
  /** Null for ourselves. */
  readonly peer: Peer | null
  readonly ms: number
  readonly perSecond: number
}

async function sample(
  question: string,
  { peer, server, client }: Side,
  requests: readonly Ask[],
  quick: boolean,
): Promise<Sample> {
  const [againMs, rateMs, processorMs] = quick ? [50, 150, 80] : [150, 300, 300]
  // Until now, the server was idle or answered other questions.
  await rate(client, requests, againMs)
  const perSecond = await rate(client, requests, rateMs)
  return { question, peer, perSecond, ms: await processorMsOfRequest(server, client, requests, processorMs) }
}

function* compared(question: string, samples: readonly Sample[]): Generator<Measured> {
  const medians = (of: Peer | null) => {
    const ofPeer = samples.filter(({ peer }) => peer === of)
    return {
      ms: median(ofPeer.map(({ ms }) => ms)),
      perSecond: median(ofPeer.map(({ perSecond }) => perSecond)),
    }
  }
  const ours = medians(null)
  for (const peer of new Set(samples.map(({ peer }) => peer))) {
    if (peer === null) continue
    const theirs = medians(peer)
    yield {
      name: `${question}, ${peer.name}`,
      ratio: ours.ms / theirs.ms,
      target: { atMost: peer.atMost ?? 1 },
      details: {
        'ours, processor ms': ours.ms,
        'theirs, processor ms': theirs.ms,
        'ours, requests/s': ours.perSecond,
        'theirs, requests/s': theirs.perSecond,
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

import { rmSync } from 'node:fs'
import type { Json } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { files } from '../../../src/engine/bind.ts'
import { openWriter } from '../../../src/engine/writer.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import {
  connect,
  DAY_OVER_MS,
  oneDay,
  type SocketClient,
  type SocketServer,
  socketServer,
} from './clients.ts'

/** The messages of a whole day, compared with the rows of the lake, which a separate DuckDB reads. */

const folder = temporaryFolder()
let lake = ''
const servers: SocketServer[] = []
let rows: (dataset: string, select: string) => Promise<Record<string, Json>[]>
let close = () => {}
let busiest = ''

async function serve(
  ...options: Parameters<typeof socketServer> extends [unknown, unknown, ...infer Rest] ? Rest : never
) {
  const server = await socketServer(folder, lake, ...options)
  servers.push(server)
  return server
}

beforeAll(async () => {
  lake = await oneDay()
  const writer = await openWriter({ directories: [lake], threads: 2 })
  const snapshot = await loadSnapshot(lake)
  rows = (dataset, select) =>
    writer.rows(select.replace('FROM tape', 'FROM read_parquet($paths, hive_partitioning = false) AS tape'), {
      paths: files(snapshot.files(dataset).map(({ path }) => path)),
    })
  close = () => writer.close()
  const [most] = await rows(
    'option_trades',
    'SELECT underlying_symbol AS ticker FROM tape GROUP BY ALL ORDER BY count(*) DESC LIMIT 1',
  )
  busiest = String(most?.ticker)
}, 300_000)
afterAll(async () => {
  for (const server of servers) await server.close()
  close()
  rmSync(folder, { recursive: true, force: true })
})

/** A client that has received the whole day of a channel: at least the expected number of messages. */
async function receivedDay(name: string, expected: number): Promise<SocketClient> {
  const server = await serve()
  const client = await connect(server)
  await client.join(name)
  server.elapse(DAY_OVER_MS)
  await client.until(() => client.data(name).length >= expected)
  return client
}

const ids = (messages: readonly Record<string, unknown>[]) => messages.map(({ id }) => id)
const TRADES = 'ORDER BY tape.executed_at, tape.id'

/** Fields of a trade as expected in JSON: integers as numbers, decimals as DuckDB writes them. */
const TRADE = `
  id::VARCHAR AS id, option_chain_id, underlying_symbol, option_type, strike::VARCHAR AS strike,
  expiry::VARCHAR AS expiry, epoch_ms(executed_at)::DOUBLE AS executed_at, price::VARCHAR AS price,
  size::INTEGER AS size, premium::VARCHAR AS premium, volume::INTEGER AS volume, open_interest::INTEGER AS open_interest,
  exchange, canceled, ask_vol::INTEGER AS ask_vol, nbbo_bid_size::INTEGER AS nbbo_bid_size,
  epoch_ms(nbbo_bid_time)::DOUBLE AS nbbo_bid_time, epoch_ms(nbbo_ask_time)::DOUBLE AS nbbo_ask_time,
  delta::VARCHAR AS delta, implied_volatility::VARCHAR AS implied_volatility, tags, upstream_condition_detail`

describe('a day', () => {
  test('has every trade of a ticker once, in the order of the tape, as in the lake', async () => {
    const name = `option_trades:${busiest}`
    const expected = await rows(
      'option_trades',
      `SELECT ${TRADE} FROM tape WHERE underlying_symbol = '${busiest}' ${TRADES}`,
    )
    expect(expected.length).toBeGreaterThan(300)
    expect(expected.some(({ canceled }) => canceled)).toBe(true)
    const client = await receivedDay(name, expected.length)
    expect(client.data(name)).toEqual(expected.map(row => expect.objectContaining(row)))
    expect(client.received[0]).toEqual([name, { response: {}, status: 'ok' }])
  })

  test('has the first alert of each trade and the facts of its underlying', async () => {
    const [{ trades = 0 } = {}] = await rows('option_trades', 'SELECT count(*)::INTEGER AS trades FROM tape')
    const client = await receivedDay('option_trades', Number(trades))
    const members = await rows(
      'flow_alerts',
      `SELECT id::VARCHAR AS id, alert_rule, unnest(trade_ids)::VARCHAR AS trade FROM tape
       ORDER BY tape.created_at DESC, tape.id DESC`,
    )
    expect(members.length).toBeGreaterThan(0)
    // Later entries of a map replace earlier ones, so the first alert of a trade remains.
    const firsts = new Map(members.map(({ trade, id, alert_rule }) => [trade, [id, alert_rule]]))
    const known = new Map(
      (await rows('tickers', 'SELECT ticker, full_name, sector, date FROM tape ORDER BY date')).map(row => [
        row.ticker,
        [row.full_name, row.sector],
      ]),
    )
    for (const trade of client.data('option_trades')) {
      expect([trade.flow_alert_id, trade.rule_id]).toEqual(firsts.get(String(trade.id)) ?? [null, null])
      expect([trade.full_name, trade.sector]).toEqual(known.get(String(trade.underlying_symbol)))
    }
  })

  test('has every alert once, under both names of the channel', async () => {
    const server = await serve()
    const [one, other] = [await connect(server), await connect(server)]
    await one.join('flow_alerts')
    await other.join('flow-alerts')
    server.elapse(DAY_OVER_MS)
    const expected = await rows(
      'flow_alerts',
      `SELECT alert_rule, ticker, option_chain, strike::VARCHAR AS strike, epoch_ms(created_at)::DOUBLE AS created_at,
         total_premium::VARCHAR AS total_premium, trade_count, has_sweep, volume_oi_ratio::VARCHAR AS volume_oi_ratio
       FROM tape ORDER BY tape.created_at, tape.id`,
    )
    expect(expected.length).toBeGreaterThan(0)
    await one.until(() => one.data('flow_alerts').length >= expected.length)
    await other.until(() => other.data('flow-alerts').length >= expected.length)
    expect(one.data('flow_alerts')).toEqual(expected.map(row => expect.objectContaining(row)))
    expect(other.data('flow-alerts')).toEqual(one.data('flow_alerts'))
  })

  test('has a frag after each trade that counts; the last one of an interval is the stored one', async () => {
    const name = `chain_frags:${busiest}`
    const expected = await rows(
      'option_trades',
      `SELECT option_chain_id AS option_symbol, epoch_ms(executed_at)::DOUBLE AS tape_time FROM tape
       WHERE underlying_symbol = '${busiest}' AND NOT canceled ${TRADES}`,
    )
    const received = (await receivedDay(name, expected.length)).data(name)
    expect(received).toEqual(expected.map(row => expect.objectContaining(row)))
    const latest = new Map(received.map(frag => [`${frag.option_symbol} ${frag.start_time}`, frag]))
    const stored = await rows(
      'chain_frags',
      `SELECT option_symbol, epoch_ms(start_time)::DOUBLE AS start_time, volume::INTEGER AS volume,
         total_volume::INTEGER AS total_volume, premium::VARCHAR AS premium, avg_price::VARCHAR AS avg_price,
         total_premium::VARCHAR AS total_premium, trades::INTEGER AS trades, iv::VARCHAR AS iv
       FROM tape WHERE underlying_symbol = '${busiest}'`,
    )
    expect(latest.size).toBe(stored.length)
    for (const frag of stored)
      expect(latest.get(`${frag.option_symbol} ${frag.start_time}`)).toMatchObject(frag)
  })

  test('is loaded in slices without losing a message', { tags: 'slow' }, async () => {
    const server = await serve({ limits: { sliceMessagesMax: 20, messagesPerTick: 7 }, speed: 60 })
    const client = await connect(server)
    await client.join(`option_trades:${busiest}`)
    // 6.5 h at 60 times the speed take 390 s, and the next lap begins 5 s later.
    server.elapse(393_000)
    const expected = await rows(
      'option_trades',
      `SELECT id::VARCHAR AS id FROM tape WHERE underlying_symbol = '${busiest}' ${TRADES}`,
    )
    await client.until(() => client.data(`option_trades:${busiest}`).length >= expected.length)
    expect(ids(client.data(`option_trades:${busiest}`))).toEqual(expected.map(({ id }) => id))
    const slices = server.seen.filter(one => one.kind === 'query' && one.operation === 'stream.option_trades')
    expect(slices.length).toBeGreaterThan(10)
  })

  test('loads the next slice shortly before the current one ends', async () => {
    const server = await serve({ speed: 1 })
    const client = await connect(server)
    const loads = () =>
      server.seen.filter(one => one.kind === 'query' && one.operation === 'stream.option_trades').length
    const times = await rows(
      'option_trades',
      `SELECT strftime(timezone('America/New_York', timezone('UTC', executed_at)), '%H:%M') AS minute FROM tape
       WHERE underlying_symbol = '${busiest}'`,
    )
    const due = (end: string) => times.filter(({ minute }) => String(minute) < end).length
    expect(due('09:35')).toBeGreaterThan(0)
    await client.join(`option_trades:${busiest}`)
    await client.until(() => loads() === 1)
    // A worker loads one slice at a time: when that of a channel joined later is loaded, an earlier one has been.
    const loaded = async (name: string) => {
      const kind = name.split(':')[0]
      await client.join(name)
      await client.until(() =>
        server.seen.some(one => one.kind === 'query' && one.operation === `stream.${kind}`),
      )
    }
    // With few trades a slice is ten minutes of tape. The next one is loaded when three and a half minutes are left.
    server.elapse(300_000)
    await client.until(() => client.data(`option_trades:${busiest}`).length >= due('09:35'))
    await loaded(`chain_frags:${busiest}`)
    expect(loads()).toBe(1)
    server.elapse(395_000)
    await client.until(() => loads() === 2)
    await loaded('flow_alerts')
    expect(loads()).toBe(2)
  })

  test('begins again after a pause', async () => {
    const server = await serve()
    const client = await connect(server)
    const name = `option_trades:${busiest}`
    await client.join(name)
    server.elapse(DAY_OVER_MS)
    const expected = await rows(
      'option_trades',
      `SELECT id::VARCHAR AS id FROM tape WHERE underlying_symbol = '${busiest}' ${TRADES}`,
    )
    await client.until(() => client.data(name).length === expected.length)
    // The day takes less than 7 s and the pause 5 s, so the second lap is over at 20 s.
    server.elapse(20_000)
    await client.until(() => client.data(name).length >= 2 * expected.length)
    const twice = [...expected, ...expected].map(({ id }) => id)
    expect(ids(client.data(name))).toEqual(twice)
  })
})

describe('a client', () => {
  test('that joins late receives what is due from then on', async () => {
    const server = await serve()
    // 3 h after 9:30, at 12:30.
    server.elapse(3000)
    const client = await connect(server)
    const name = `option_trades:${busiest}`
    await client.join(name)
    server.elapse(DAY_OVER_MS)
    const expected = await rows(
      'option_trades',
      `SELECT id::VARCHAR AS id FROM tape WHERE underlying_symbol = '${busiest}'
         AND timezone('America/New_York', timezone('UTC', executed_at)) >= date + INTERVAL 750 MINUTES ${TRADES}`,
    )
    expect(expected.length).toBeGreaterThan(10)
    await client.until(() => client.data(name).length >= expected.length)
    expect(ids(client.data(name))).toEqual(expected.map(({ id }) => id))
  })

  test('receives nothing before it is due', async () => {
    const server = await serve({ speed: 1 })
    const client = await connect(server)
    await client.join('option_trades')
    // Each trade with its time since the open.
    const trades = await rows(
      'option_trades',
      `SELECT
         id::VARCHAR AS id,
         epoch_ms(timezone('America/New_York', timezone('UTC', executed_at)) - (date + INTERVAL 570 MINUTES))::DOUBLE AS ms
       FROM tape ${TRADES}`,
    )
    const due = (elapsedMs: number) => trades.filter(({ ms }) => Number(ms) < elapsedMs)
    expect(due(300_000).length).toBeGreaterThan(10)
    // The last trades of each step arrive after everything else that was sent until then.
    let elapsedMs = 0
    const early: unknown[] = []
    client.socket.on('message', () => {
      early.push(...ids(client.data('option_trades')).slice(due(elapsedMs + 1).length))
    })
    for (elapsedMs of [300_000, 301_000, 330_000, 600_000]) {
      server.elapse(elapsedMs)
      await client.until(() => client.data('option_trades').length >= due(elapsedMs).length)
    }
    expect(early).toEqual([])
    const expected = due(elapsedMs).map(({ id }) => id)
    expect(ids(client.data('option_trades')).slice(0, expected.length)).toEqual(expected)
  })

  test('that leaves a channel receives nothing more of it, and everything of another', async () => {
    const server = await serve()
    const client = await connect(server)
    const name = `option_trades:${busiest}`
    await client.join(name)
    await client.join('option_trades')
    client.send({ channel: name, msg_type: 'leave' })
    await client.until(() => client.received.length === 3)
    expect(client.received[2]).toEqual([name, { response: {}, status: 'ok' }])
    server.elapse(DAY_OVER_MS)
    const [{ trades = 0 } = {}] = await rows('option_trades', 'SELECT count(*)::INTEGER AS trades FROM tape')
    await client.until(() => client.data('option_trades').length >= Number(trades))
    expect(client.data(name)).toEqual([])
  })

  test('receives the same from every server with the same start of the replay', async () => {
    const both = [await serve(), await serve()]
    const clients = await Promise.all(both.map(server => connect(server)))
    await Promise.all(clients.map(client => client.join('chain_frags')))
    for (const server of both) server.elapse(DAY_OVER_MS)
    const [{ trades = 0 } = {}] = await rows(
      'option_trades',
      'SELECT count(*)::INTEGER AS trades FROM tape WHERE NOT canceled',
    )
    for (const client of clients)
      await client.until(() => client.data('chain_frags').length >= Number(trades))
    expect(clients[0]?.received).toEqual(clients[1]?.received)
  })
})

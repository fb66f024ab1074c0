import { cpSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { connect, DAY_OVER_MS, oneDay, type SocketServer, socketServer } from './clients.ts'

/** Clients that are slow or disconnected, a server that shuts down, a tape that cannot be read. */

const folder = temporaryFolder()
let lake = ''
const servers: SocketServer[] = []
beforeAll(async () => {
  lake = await oneDay()
}, 300_000)
afterAll(async () => {
  for (const server of servers) await server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function serve(options: Parameters<typeof socketServer>[2] = {}) {
  const server = await socketServer(folder, lake, options)
  servers.push(server)
  return server
}

const endsOf = ({ seen }: SocketServer) =>
  seen.flatMap(one => (one.kind === 'socket_closed' ? [[one.end, one.code]] : []))

describe('a client that does not read', () => {
  test('is dropped with 1013 while another one receives everything', { tags: 'slow' }, async () => {
    const server = await serve({
      // The messages of one tick are much smaller than the limit of unread bytes.
      limits: {
        bufferedBytesMax: 2 * 1024 ** 2,
        messagesPerTick: 500,
        catchUpWaitMs: 500,
        lingerMs: 20_000,
      },
    })
    const trades = (await loadSnapshot(lake)).files('option_trades').reduce((sum, { rows }) => sum + rows, 0)
    const [slow, fast] = [await connect(server), await connect(server)]
    await slow.join('option_trades')
    await fast.join('option_trades')
    slow.socket.pause()
    // Each lap has about 4 MB, of which the kernel buffers some megabytes.
    const LAPS = 6
    for (let lap = 0; lap < LAPS; lap += 1) {
      // A lap takes 11.5 to 11.7 s, including its pause: this time is in the pause of each lap.
      server.elapse(lap * 11_600 + 9000)
      await fast.until(() => fast.data('option_trades').length >= (lap + 1) * trades)
    }
    slow.socket.resume()
    const [code, reason] = await slow.closed()
    expect([code, reason]).toEqual([
      1013,
      'fell behind by more than 2 MiB: read faster, or join fewer channels',
    ])
    await fast.until(() => endsOf(server).length === 1)
    expect(endsOf(server)).toEqual([['slow', 1013]])
    expect(slow.data('option_trades').length).toBeLessThan(LAPS * trades)
    // Whole days, each in the same order.
    const received = fast.data('option_trades').map(({ id }) => id)
    const first = received.slice(0, trades)
    expect(new Set(first).size).toBe(trades)
    expect(received).toEqual(Array.from({ length: LAPS }, () => first).flat())
    expect(slow.data('option_trades').map(({ id }) => id)).toEqual(
      received.slice(0, slow.data('option_trades').length),
    )
  })

  test('and does not read the close reason is terminated', async () => {
    const server = await serve({ limits: { bufferedBytesMax: 1024, lingerMs: 100 } })
    const slow = await connect(server)
    slow.socket.pause()
    await new Promise(resolve => setTimeout(resolve, 50))
    // It reads nothing but sends requests, so that responses accumulate.
    const timer = setInterval(() => {
      for (let index = 0; index < 1000; index += 1) slow.send('?')
    }, 5)
    onTestFinished(() => clearInterval(timer))
    await expect.poll(() => endsOf(server), { timeout: 10_000 }).toEqual([['slow', 1013]])
  })
})

describe('a heartbeat', () => {
  test('has the time of the tape, in both encodings', { tags: 'slow' }, async () => {
    const server = await serve({ limits: { heartbeatMs: 500 }, date: '2024-01-02' })
    const [json, binary] = [await connect(server), await connect(server, { protocols: ['protobuf'] })]
    await json.until(() => json.received.length > 0 && binary.frames.length > 0)
    // The lake has no tape of this date, so the time is unknown.
    expect(json.received[0]).toEqual(['heartbeat', { tape_time: null }])
    const [frame] = binary.frames
    expect([frame?.channel, frame?.payload.case]).toEqual(['heartbeat', 'heartbeat'])
    expect(frame?.payload.value).not.toHaveProperty('tapeTime')
    const real = await serve({ limits: { heartbeatMs: 500 }, speed: 60 })
    const [one, other] = [await connect(real), await connect(real, { protocols: ['protobuf'] })]
    await one.join('flow_alerts')
    // One wall minute at 60 times the speed: 10:30.
    real.elapse(60_000)
    const day = (await loadSnapshot(lake)).lastDate('option_trades') ?? ''
    const expected = [4, 5].map(behind => Date.parse(`${day}T${10 + behind}:30:00Z`))
    await one.until(() => expected.includes(Number(one.received.at(-1)?.[1].tape_time)))
    await other.until(() => {
      const payload = other.frames.at(-1)?.payload
      return payload?.case === 'heartbeat' && expected.includes(Number(payload.value.tapeTime))
    })
  })

  test('without an answer closes its socket, and no other', { tags: 'slow' }, async () => {
    const server = await serve({ limits: { heartbeatMs: 500 } })
    const [silent, lively] = [await connect(server, { autoPong: false }), await connect(server)]
    const [code] = await silent.closed()
    expect(code).toBe(1006)
    await lively.until(() => endsOf(server).length > 0)
    expect(endsOf(server)).toEqual([['unresponsive', 1001]])
    await lively.until(() => lively.received.length > 4)
    expect(lively.socket.readyState).toBe(lively.socket.OPEN)
  })
})

describe('a server that drains', () => {
  test('closes every socket with a reason, and does not wait for clients that do not answer', async () => {
    const server = await serve()
    const clients = [await connect(server), await connect(server), await connect(server)]
    const [one, , deaf] = clients
    await one?.join('option_trades')
    deaf?.socket.pause()
    const gone = server.close()
    expect(await one?.closed()).toEqual([1001, 'the server is shutting down: connect again'])
    await expect.poll(() => endsOf(server), { timeout: 5000 }).toEqual(clients.map(() => ['draining', 1001]))
    await gone
    await expect(connect(server)).rejects.toThrow()
  })
})

describe('a tape', () => {
  test('that the lake does not have is reported once and looked for again', async () => {
    const server = await serve({ date: '1999-12-31', limits: { retryMs: 50 } })
    const client = await connect(server)
    await client.join('chain_frags')
    await client.until(() => client.received.length === 2)
    expect(client.received[1]).toEqual([
      'chain_frags',
      {
        response: {
          reason:
            'the lake has no option trades on 1999-12-31: there is no tape to replay; the server will try again',
        },
        status: 'error',
      },
    ])
    const tries = () => server.seen.filter(one => one.kind === 'query').length
    const before = tries()
    await client.until(() => tries() > before + 2)
    expect(client.received.length).toBe(2)
    expect(server.seen.filter(({ kind }) => kind === 'stream_failed')).toEqual([
      {
        kind: 'stream_failed',
        channel: 'stream.chain_frags',
        reason: 'the lake has no option trades on 1999-12-31: there is no tape to replay',
      },
    ])
  })

  test('that cannot be read for a while is still sent completely', async () => {
    const own = join(folder, 'damaged')
    cpSync(lake, own, { recursive: true })
    const server = await socketServer(folder, own, { limits: { retryMs: 50 } })
    servers.push(server)
    const snapshot = await loadSnapshot(own)
    const [file, trades] = ['flow_alerts', 'option_trades'].map(name => snapshot.files(name)[0])
    if (file === undefined || trades === undefined) throw new Error('the lake has no alerts')
    // Without the trades, the server cannot compute the span of the day.
    for (const { path } of [file, trades]) renameSync(path, `${path}.away`)
    const client = await connect(server)
    await client.join('flow_alerts')
    await client.until(() => client.received.length === 2)
    expect(client.received[1]).toEqual([
      'flow_alerts',
      {
        response: { reason: 'the tape cannot be read at present; the server will try again' },
        status: 'error',
      },
    ])
    renameSync(`${trades.path}.away`, trades.path)
    // The span is known now, and the alerts are not.
    await client.until(() =>
      server.seen.some(one => one.kind === 'file_damaged' && one.dataset === 'flow_alerts'),
    )
    server.elapse(DAY_OVER_MS)
    renameSync(`${file.path}.away`, file.path)
    await client.until(() => client.data('flow_alerts').length >= file.rows)
    expect(client.data('flow_alerts').length).toBe(file.rows)
    expect(JSON.stringify(client.received)).not.toContain(folder)
  })
})

test('metrics count sockets, their messages and why they were closed', async () => {
  const server = await serve()
  const [one, other] = [await connect(server), await connect(server)]
  await one.join('flow_alerts')
  await other.join('flow_alerts')
  server.elapse(DAY_OVER_MS)
  const alerts = (await loadSnapshot(lake)).files('flow_alerts').reduce((sum, { rows }) => sum + rows, 0)
  for (const client of [one, other]) await client.until(() => client.data('flow_alerts').length >= alerts)
  one.socket.close()
  await one.closed()
  await expect.poll(() => server.metrics()).toContain('tapehouse_sockets 1\n')
  await expect
    .poll(() => server.metrics())
    .toContain(`tapehouse_socket_messages_total{channel="flow_alerts"} ${2 * alerts}\n`)
  expect(await server.metrics()).toContain('tapehouse_sockets_ended_total{end="left"} 1\n')
  expect(server.seen.find(({ kind }) => kind === 'socket_closed')).toMatchObject({
    token: 'all',
    end: 'left',
    messages: alerts,
  })
})

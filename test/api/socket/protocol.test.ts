import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/lake.ts'
import { connect, DAY_OVER_MS, oneDay, type SocketServer, socketServer } from './clients.ts'

/** What is sent on a socket besides the tape itself, in both encodings. */

const folder = temporaryFolder()
let lake = ''
let server: SocketServer
beforeAll(async () => {
  lake = await oneDay()
  server = await socketServer(folder, lake, { limits: { channelsMax: 3 } })
}, 300_000)
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const join = (channel: unknown) => JSON.stringify({ channel, msg_type: 'join' })
const OK = { response: {}, status: 'ok' }
const EXAMPLE = '{"channel": "chain_frags:AAPL", "msg_type": "join"}'
const TICKER = 'the ticker must be a letter, then up to 9 letters, digits, dots or hyphens: chain_frags:AAPL'
const NO_CHANNEL =
  'unknown channel: the channels are option_trades, option_trades:TICKER, flow_alerts, flow-alerts, chain_frags, chain_frags:TICKER'
const NOT_OBJECT = `the message is not a JSON object: send one such as ${EXAMPLE}`
const NO_NAME = `the message names no channel: send one such as ${EXAMPLE}`
const MSG_TYPE = 'msg_type must be "join" or "leave"'

describe('a message', () => {
  const bad: [what: string, text: string | Buffer, name: string, reason: string][] = [
    ['that is not JSON', 'join me', '', NOT_OBJECT],
    ['that is empty', '', '', NOT_OBJECT],
    ['that is a JSON list', '["option_trades", "join"]', '', NOT_OBJECT],
    ['that is null', 'null', '', NOT_OBJECT],
    ['that names no channel', '{"msg_type": "join"}', '', NO_NAME],
    ['whose channel is a number', join(7), '', NO_NAME],
    ['whose channel is unknown', join('option_trade'), 'option_trade', NO_CHANNEL],
    ['whose channel is a property of every object', join('constructor'), 'constructor', NO_CHANNEL],
    ['whose ticker is none', join('chain_frags:'), 'chain_frags:', TICKER],
    ['whose ticker is a path', join('chain_frags:../..'), 'chain_frags:../..', TICKER],
    ['whose ticker is SQL', join("option_trades:A' OR 1=1"), "option_trades:A' OR 1=1", TICKER],
    [
      'whose channel has no tickers',
      join('flow-alerts:AAPL'),
      'flow-alerts:AAPL',
      'flow-alerts is one channel for all tickers: join it without a ticker',
    ],
    ['without a msg_type', '{"channel": "flow_alerts"}', 'flow_alerts', MSG_TYPE],
    ['of an unknown msg_type', '{"channel": "flow_alerts", "msg_type": "JOIN"}', 'flow_alerts', MSG_TYPE],
    [
      'that leaves what was not joined',
      '{"channel": "flow_alerts", "msg_type": "leave"}',
      'flow_alerts',
      'not joined',
    ],
    [
      'that is longer than 4 KiB',
      `${join('flow_alerts')}${' '.repeat(4096 - join('flow_alerts').length + 1)}`,
      '',
      'the message has 4097 bytes: the limit is 4096',
    ],
    [
      'that is binary',
      Buffer.from([0, 255, 254, 1, 2, 3]),
      '',
      `the message is binary: send JSON text such as ${EXAMPLE}`,
    ],
    [
      'that is binary JSON',
      Buffer.from(join('flow_alerts')),
      '',
      `the message is binary: send JSON text such as ${EXAMPLE}`,
    ],
  ]

  test.each(bad)('%s gets an error, and the socket stays open', async (_what, text, name, reason) => {
    const client = await connect(server)
    client.send(text)
    await client.until(() => client.received.length === 1)
    expect(client.received).toEqual([[name, { response: { reason }, status: 'error' }]])
    await client.join('flow_alerts')
    expect(client.received[1]).toEqual(['flow_alerts', OK])
  })

  test.each(bad)('%s gets the same error in protobuf', async (_what, text, name, reason) => {
    const client = await connect(server, { protocols: ['protobuf'] })
    client.send(text)
    await client.until(() => client.frames.length === 1)
    expect(client.frames[0]).toMatchObject({
      channel: name,
      payload: { case: 'response', value: { status: 'error', reason } },
    })
    expect(client.received).toEqual([])
  })

  test('of exactly 4 KiB is read', async () => {
    const client = await connect(server)
    client.send(join('flow_alerts').padEnd(4096))
    await client.until(() => client.received.length === 1)
    expect(client.received).toEqual([['flow_alerts', OK]])
  })

  test('of a megabyte closes its socket and no other', async () => {
    const [one, other] = [await connect(server), await connect(server)]
    one.send(' '.repeat(1024 ** 2))
    expect((await one.closed())[0]).toBe(1009)
    await other.join('flow_alerts')
    expect(other.received).toEqual([['flow_alerts', OK]])
  })

  test('that joins a channel again gets an error, under any name of the channel', async () => {
    const client = await connect(server)
    for (const name of ['flow_alerts', 'flow-alerts', 'chain_frags:abc', 'chain_frags:ABC'])
      await client.join(name)
    const already = { response: { reason: 'already joined' }, status: 'error' }
    expect(client.received).toEqual([
      ['flow_alerts', OK],
      ['flow-alerts', already],
      ['chain_frags:abc', OK],
      ['chain_frags:ABC', already],
    ])
  })

  test('that leaves a channel allows to join it again', async () => {
    const client = await connect(server)
    await client.join('chain_frags:ABC')
    client.send({ channel: 'chain_frags:ABC', msg_type: 'leave' })
    client.send({ channel: 'chain_frags:ABC', msg_type: 'leave' })
    client.send({ channel: 'chain_frags:ABC', msg_type: 'join' })
    await client.until(() => client.received.length === 4)
    expect(client.received.map(([, { status }]) => status)).toEqual(['ok', 'ok', 'error', 'ok'])
  })

  test('that joins one channel too many gets an error until another is left', async () => {
    const client = await connect(server)
    for (const name of ['chain_frags:A', 'chain_frags:B', 'chain_frags:C', 'chain_frags:D'])
      await client.join(name)
    expect(client.received[3]).toEqual([
      'chain_frags:D',
      { response: { reason: '3 channels are joined: leave one first' }, status: 'error' },
    ])
    client.send({ channel: 'chain_frags:A', msg_type: 'leave' })
    await client.join('chain_frags:D')
    expect(client.received.at(-1)).toEqual(['chain_frags:D', OK])
  })

  test('with a name of 3 KiB is not repeated in full', async () => {
    const client = await connect(server)
    client.send(join('x'.repeat(3000)))
    await client.until(() => client.received.length === 1)
    expect(client.received[0]?.[0]).toBe('x'.repeat(64))
  })
})

describe('an encoding', () => {
  test.each([
    [[], ''],
    [['json'], 'json'],
    [['protobuf'], 'protobuf'],
    [['graphql-ws', 'protobuf', 'json'], 'protobuf'],
  ])('offered as %j is accepted as %j', async (protocols, taken) => {
    expect((await connect(server, { protocols })).protocol).toBe(taken)
  })

  test('of protobuf has the same messages as JSON', async () => {
    const own = await socketServer(folder, lake)
    try {
      const json = await connect(own)
      const binary = await connect(own, { protocols: ['protobuf'] })
      const names = ['option_trades', 'chain_frags', 'flow-alerts']
      for (const client of [json, binary]) for (const name of names) await client.join(name)
      own.elapse(DAY_OVER_MS)
      // Both receive the same messages in the same order, so equal numbers suffice.
      await json.until(
        () =>
          names.every(name => json.data(name).length > 0) && json.received.length === binary.frames.length,
      )
      const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      for (const name of names) {
        const decoded = binary.frames.flatMap(({ channel, payload }) =>
          channel === name && payload.case !== 'response' ? [payload] : [],
        )
        const messages = json.data(name)
        expect(decoded.length).toBe(messages.length)
        expect(new Set(decoded.map(each => each.case))).toEqual(
          new Set([camel(name.replace('-', '_')).replace(/s$/, '')]),
        )
        for (const [index, { value }] of decoded.entries()) {
          for (const [field, wanted] of Object.entries(messages[index] ?? {})) {
            const got = (value as unknown as Record<string, unknown>)[camel(field)]
            // An unknown value is absent, and a 64-bit integer is a bigint.
            const plain = typeof got === 'bigint' ? Number(got) : (got ?? null)
            if (JSON.stringify(plain) !== JSON.stringify(wanted))
              expect([name, field, plain]).toEqual([name, field, wanted])
          }
        }
      }
    } finally {
      await own.close()
    }
  })
})

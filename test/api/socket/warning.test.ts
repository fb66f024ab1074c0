import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { folderForTest } from '../../fixtures/lake.ts'
import { query } from '../../lake/import/importing.ts'
import { connect, oneDay, SPEED, socketServer } from './clients.ts'

/** What the response to a join says of a channel with more messages than a client may be able to read. */

let lake = ''
beforeAll(async () => {
  lake = await oneDay()
}, 300_000)

/** Messages per second in the busiest minute, at the speed of the replay; of all tickers if there is none. */
async function busiestPerSecond(condition: string): Promise<number> {
  const [most] = await query(
    lake,
    'option_trades',
    `SELECT max(trades) FROM (
       SELECT strftime(executed_at, '%H:%M') AS minute, count(*) AS trades FROM bars WHERE ${condition} GROUP BY ALL
     )`,
  )
  return Math.ceil((Number(most) / 60) * SPEED)
}

const okOf = (name: string, response: object) => [name, { response, status: 'ok' }]

test('a channel that is too busy for most clients says so when it is joined', async () => {
  const perSecond = await busiestPerSecond('true')
  const warned = await socketServer(folderForTest(), lake, { limits: { warnedPerSecond: perSecond - 1 } })
  onTestFinished(() => warned.close())
  const client = await connect(warned)
  await client.join('option_trades')
  await client.join('chain_frags')
  await client.join('flow_alerts')
  const warning = `up to ${perSecond} messages per second at 3600 times real time, and a client that falls behind is disconnected: join channels of single tickers, or replay more slowly`
  expect(client.received.slice(0, 3)).toEqual([
    okOf('option_trades', { warning }),
    okOf('chain_frags', { warning }),
    okOf('flow_alerts', {}),
  ])
  const binary = await connect(warned, { protocols: ['protobuf'] })
  binary.send({ channel: 'option_trades', msg_type: 'join' })
  await binary.until(() => binary.frames.length > 0)
  expect(binary.frames[0]?.payload).toMatchObject({ case: 'response', value: { status: 'ok', warning } })
})

test('a channel at the bound, and one of a single ticker, say nothing', async () => {
  const limits = { warnedPerSecond: await busiestPerSecond('true') }
  const server = await socketServer(folderForTest(), lake, { limits })
  onTestFinished(() => server.close())
  const client = await connect(server)
  const [busiest = ''] = await query(
    lake,
    'option_trades',
    'SELECT underlying_symbol FROM bars GROUP BY ALL ORDER BY count(*) DESC LIMIT 1',
  )
  await client.join('option_trades')
  await client.join(`option_trades:${busiest}`)
  expect(client.received.slice(0, 2)).toEqual([
    okOf('option_trades', {}),
    okOf(`option_trades:${busiest}`, {}),
  ])

  const each = await busiestPerSecond(`underlying_symbol = '${busiest}'`)
  const strict = await socketServer(folderForTest(), lake, { limits: { warnedPerSecond: each - 1 } })
  onTestFinished(() => strict.close())
  const other = await connect(strict)
  await other.join(`chain_frags:${busiest}`)
  expect(other.received[0]).toEqual(
    okOf(`chain_frags:${busiest}`, { warning: expect.stringMatching(`^up to ${each} messages`) }),
  )
})

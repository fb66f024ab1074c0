import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { benchLake, DEMO, SMALL } from '../measure/bench-lake.ts'
import { servedTape } from '../measure/served-tape.ts'
import type { Circumstances, Measured } from '../section.ts'

/**
 * One client that reads the channel of all trades, or of all frags, as fast as it can, from the open of the day on: the
 * messages received, the delay at the end behind the tape in seconds of wall time, whether the response to the join had a
 * warning, and whether the server disconnected the client.
 */
const SPEEDS = [1, 3, 10]
const CHANNELS = ['option_trades', 'chain_frags'] as const
const TIME = { option_trades: '"executed_at":', chain_frags: '"tape_time":' } as const

async function read(
  folder: string,
  lake: string,
  channel: (typeof CHANNELS)[number],
  speed: number,
  seconds: number,
): Promise<Measured> {
  const server = await servedTape(folder, lake, { workers: 1, speed })
  const socket = new WebSocket(server.address)
  let messages = 0
  let first = 0
  let last = 0
  let warned = false
  let end: string | null = null
  let openedAt = performance.now()
  socket.on('open', () => {
    openedAt = performance.now()
    socket.send(JSON.stringify({ channel, msg_type: 'join' }))
  })
  socket.on('message', (data: Buffer) => {
    const at = data.indexOf(TIME[channel])
    if (at === -1) {
      warned ||= data.includes('"warning":')
      return
    }
    const start = at + TIME[channel].length
    last = Number(data.toString('latin1', start, start + 13))
    if (messages === 0) first = last
    messages += 1
  })
  socket.on('close', (code, reason) => {
    end ??= `disconnected after ${((performance.now() - openedAt) / 1000).toFixed(0)} s: ${code} ${reason}`
  })
  for (let second = 0; second < seconds && end === null; second += 1) await sleep(1000)
  const elapsed = (performance.now() - openedAt) / 1000
  const delay = elapsed - (last - first) / 1000 / speed
  socket.terminate()
  await server.stop()
  return {
    name: `${channel}, ${speed} times real time`,
    details: {
      'messages/s': Math.round(messages / elapsed),
      'behind, s': delay,
      warned: warned ? 'yes' : 'no',
      end: end ?? 'connected',
    },
  }
}

export async function* socketAll({ quick, folder }: Circumstances): AsyncGenerator<Measured> {
  const lake = await benchLake(
    folder,
    quick ? SMALL : { ...DEMO, days: 1, tickers: 100, tradesPerDay: 300_000 },
  )
  for (const channel of CHANNELS)
    for (const speed of SPEEDS) yield await read(folder, lake, channel, speed, quick ? 5 : 30)
}

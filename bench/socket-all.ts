import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { openWriter } from '../src/engine/writer.ts'
import { generate } from '../src/lake/generate/generate.ts'
import { servedTape } from './served-tape.ts'

/**
 * One client that reads the channel of all trades, or of all frags, as fast as it can, from the open of the day on: the
 * messages received, the delay at the end behind the tape in seconds of wall time, whether the response to the join had a
 * warning, and whether the server disconnected the client. `TAPEHOUSE_BENCH_LAKE` specifies a lake. Default: a generated
 * lake with one day of 300,000 trades.
 */
const SECONDS = Number(process.env.TAPEHOUSE_BENCH_SECONDS ?? 60)
const SPEEDS = [1, 3, 10]
const CHANNELS = ['option_trades', 'chain_frags'] as const
const TIME = { option_trades: '"executed_at":', chain_frags: '"tape_time":' } as const

const folder = mkdtempSync(join(tmpdir(), 'tapehouse-bench-'))
const lake = process.env.TAPEHOUSE_BENCH_LAKE ?? join(folder, 'lake')
if (process.env.TAPEHOUSE_BENCH_LAKE === undefined) {
  const writer = await openWriter({ directories: [lake], threads: 2 })
  await generate(writer, lake, { seed: 1, days: 1, tickers: 100, tradesPerDay: 300_000 }, () => {})
  writer.close()
}

async function read(channel: (typeof CHANNELS)[number], speed: number): Promise<string> {
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
  for (let second = 0; second < SECONDS && end === null; second += 1) await sleep(1000)
  const seconds = (performance.now() - openedAt) / 1000
  const delay = seconds - (last - first) / 1000 / speed
  end ??= `${delay.toFixed(1)} s behind at the end`
  socket.terminate()
  await server.stop()
  const rate = Math.round(messages / seconds).toLocaleString('en-US')
  return `${channel.padEnd(14)} ${`${speed} times`.padStart(9)} ${rate.padStart(8)} messages/s  ${warned ? 'warned' : 'no warning'}; ${end}`
}

for (const channel of CHANNELS)
  for (const speed of SPEEDS) process.stdout.write(`${await read(channel, speed)}\n`)
rmSync(folder, { recursive: true, force: true })

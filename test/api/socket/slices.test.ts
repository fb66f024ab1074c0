import { expect, test } from 'vitest'
import { SOCKET_LIMITS } from '../../../src/api/service/socket-limits.ts'
import { channelOf } from '../../../src/api/socket/channels.ts'
import { openSlices } from '../../../src/api/socket/slices.ts'
import { storedRows } from '../../stream/frag-lake.ts'

test('among waiting loads, the one that begins first on the tape runs first', async () => {
  const alert = { date: '2024-01-02', created_at: '2024-01-02 15:00:00', start_time: '2024-01-02 15:00:00' }
  const { snapshot, engine } = await storedRows({ flow_alerts: [alert] })
  const replay = { date: '2024-01-02', begunMs: 0, speed: 1 }
  const lake = { pin: async () => snapshot } as Parameters<typeof openSlices>[0]['lake']
  const slices = openSlices({ engine, lake }, replay, { ...SOCKET_LIMITS, loadsAtOnce: 1 })
  const channel = channelOf('flow_alerts')
  if ('problem' in channel) throw new Error(channel.problem)
  const span = { day: '2024-01-02', fromMs: Date.UTC(2024, 0, 2), toMs: Date.UTC(2024, 0, 3) }
  const gone = new AbortController().signal
  const ended: number[] = []
  await Promise.all(
    [30, 20, 10, 20].map(async order => {
      const { rows } = await slices.load(channel, { ...span, order }, gone)
      expect(rows).toBe(1)
      ended.push(order)
    }),
  )
  await engine.close()
  // The first did not have to wait.
  expect(ended).toEqual([30, 10, 20, 20])
})

import { expect, onTestFinished, test } from 'vitest'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { connect, oneDay, type SocketClient, type SocketServer, socketServer } from './clients.ts'

/** A channel that is behind the tape catches up as fast as its clients read, and no faster. */

/** Reads at most `bytesMax` every `everyMs`. */
function readAtMost({ socket }: SocketClient, bytesMax: number, everyMs: number): void {
  let read = 0
  socket.on('message', (bytes: Buffer) => {
    read += bytes.length
    if (read >= bytesMax) socket.pause()
  })
  const timer = setInterval(() => {
    read = 0
    socket.resume()
  }, everyMs)
  onTestFinished(() => clearInterval(timer))
}

const sentBy = ({ seen }: SocketServer) =>
  seen.reduce((sum, one) => sum + (one.kind === 'stream_sent' ? one.messages : 0), 0)

test('a client that keeps reading receives a tape that is sent much faster than it reads', {
  tags: 'slow',
}, async () => {
  const lake = await oneDay()
  const limits = { bufferedBytesMax: 1024 ** 2, catchUpBytesMax: 256 * 1024, messagesPerTick: 250 }
  const server = await socketServer(folderForTest(), lake, { limits })
  onTestFinished(() => server.close())
  const trades = (await loadSnapshot(lake)).files('option_trades').reduce((sum, { rows }) => sum + rows, 0)
  const client = await connect(server)
  readAtMost(client, 200_000, 20)
  await client.join('option_trades')
  // Each lap has about 4 MB. All of it is due at once, and the next lap as soon as the server has sent it.
  const LAPS = 5
  for (let lap = 0; lap < LAPS; lap += 1) {
    server.elapse(lap * 11_600 + 9000)
    await client.until(() => sentBy(server) >= (lap + 1) * trades || client.socket.readyState !== 1)
  }
  await client.until(
    () => client.data('option_trades').length >= LAPS * trades || client.socket.readyState !== 1,
  )
  expect(server.seen.filter(({ kind }) => kind === 'socket_closed')).toEqual([])
  const ids = client.data('option_trades').map(({ id }) => id)
  const day = ids.slice(0, trades)
  expect(new Set(day).size).toBe(trades)
  expect(ids).toEqual(Array.from({ length: LAPS }, () => day).flat())
})

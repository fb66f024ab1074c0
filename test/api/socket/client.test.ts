import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { SOCKET_LIMITS } from '../../../src/api/service/socket-limits.ts'
import { openClient } from '../../../src/api/socket/client.ts'

/** Both ends of a WebSocket over loopback. */
async function socketPair() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const connected = once(server, 'connection')
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => {
    socket.terminate()
    server.close()
  })
  const [connection, request] = (await connected) as [WebSocket, IncomingMessage]
  return { socket, connection, raw: request.socket }
}

test('a message to a dropped client is neither sent nor counted', async () => {
  const { socket, connection, raw } = await socketPair()
  const received: string[] = []
  socket.on('message', data => received.push(String(data)))
  const closed = once(socket, 'close')
  const drops: unknown[] = []
  const client = openClient(connection, raw, 'json', SOCKET_LIMITS, (...drop) => drops.push(drop))

  client.send(Buffer.from('1'))
  client.send(Buffer.from('2'))
  client.drop('revoked')
  client.send(Buffer.from('3'))
  client.drop('draining')

  const [code, reason] = await closed
  expect([code, String(reason)]).toEqual([4401, 'the token is revoked or has expired'])
  expect(received).toEqual(['1', '2'])
  expect(client.sent).toBe(2)
  expect(drops).toEqual([['revoked', 4401]])
})

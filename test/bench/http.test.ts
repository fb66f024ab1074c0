import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { httpClient } from '../../bench/measure/http.ts'

/** A server on loopback that closes a connection when a further request comes on it, as if it had been idle for too long. */
async function forgetful(answersOfConnection: number) {
  let requests = 0
  const served = new WeakMap<object, number>()
  const server = createServer((request, response) => {
    requests += 1
    const before = served.get(request.socket) ?? 0
    served.set(request.socket, before + 1)
    if (before === answersOfConnection) request.socket.resetAndDestroy()
    else response.end(request.url)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = httpClient((server.address() as AddressInfo).port, 1)
  onTestFinished(() => {
    client.close()
    server.close()
  })
  return { client, requests: () => requests }
}

test('a request on a connection that its server closes is sent again on another one', async () => {
  const { client, requests } = await forgetful(1)
  for (const path of ['/1', '/2', '/3']) {
    const { status, bytes } = await client.send({ path })
    expect([status, bytes.toString()]).toEqual([200, path])
  }
  expect(requests()).toBe(5)
})

test('a server that closes a new connection fails a request', async () => {
  const { client, requests } = await forgetful(0)
  await expect(client.send({ path: '/1' })).rejects.toThrow(/ECONNRESET|socket hang up/)
  expect(requests()).toBe(1)
})

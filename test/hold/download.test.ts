import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { download } from './download.ts'

/** How a download ends if the server sends this text and ends the connection at once, before the client reads the text. */
async function outcomeOf(text: string, end: (connection: Socket) => void): Promise<string> {
  const server = createServer(connection => {
    connection.on('error', () => {})
    // With unread bytes, the system would reset it.
    connection.once('data', () => connection.write(text, () => end(connection)))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return download(port, 'GET', (_, tail) => tail === '.', 0).outcome
}

test.each([
  ['x', 'reset', (connection: Socket) => connection.resetAndDestroy()],
  ['x', 'cut', (connection: Socket) => connection.end()],
  ['x', 'cut', (connection: Socket) => connection.destroySoon()],
  ['.', 'complete', (connection: Socket) => connection.end()],
])('a response %j is %s', async (text, outcome, end) => {
  expect(await outcomeOf(text, end)).toBe(outcome)
})

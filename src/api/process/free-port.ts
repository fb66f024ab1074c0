import { once } from 'node:events'
import { createServer } from 'node:net'
import { portFailure } from './port-failure.ts'

/** Rejects with `port_unavailable` if a server could not listen on a port now. */
export async function assertPortFree(host: string, port: number, flag: string): Promise<void> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (thrown) {
    throw portFailure(thrown, host, port, flag)
  }
  server.close()
  await once(server, 'close')
}

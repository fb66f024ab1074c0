import { fileURLToPath } from 'node:url'
import { freePort, type Started, start } from './started.ts'

/** Empty Fastify routes in a process of their own: the answer of `/<bytes>` has so many bytes. */
export async function emptyRoutes(sizes: Iterable<number>): Promise<Started> {
  const port = await freePort()
  const program = fileURLToPath(new URL('empty-route.js', import.meta.url))
  return start(
    { command: process.execPath, arguments: [program, String(port), ...[...sizes].map(String)], port },
    output => output.includes('Serving'),
  )
}

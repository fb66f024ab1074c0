import { fileURLToPath } from 'node:url'
import { freePort, type Started, start } from './started.ts'

/** An empty Fastify route in a process of its own, whose answer has this many bytes. */
export async function emptyRoute(bytes: number): Promise<Started> {
  const port = await freePort()
  const program = fileURLToPath(new URL('empty-route.js', import.meta.url))
  return start(
    { command: process.execPath, arguments: [program, String(port), String(bytes)], port },
    output => output.includes('Serving'),
  )
}

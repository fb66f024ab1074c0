import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listening, type Server } from '../cli/process.ts'

/** A running demo of so few days that it is whole when it is served. */
export interface Demo {
  readonly server: Server
  readonly token: string
  /** A file with its OpenAPI document. */
  readonly document: string
}

/** Starts the demo, whose files are in a folder: a later start takes the lake of an earlier one. */
export async function demo(folder: string): Promise<Demo> {
  const server = await listening([
    'demo',
    ...['--port', '0'],
    ...['--lake', join(folder, 'lake'), '--tokens', join(folder, 'tokens.json')],
    ...['--demo-days', '2', '--demo-tickers', '12', '--demo-trades', '3000', '--workers', '1'],
  ])
  const token = /development token +(\S+)/.exec(server.output())?.[1] ?? ''
  const document = join(folder, 'openapi.json')
  writeFileSync(document, await (await fetch(`${server.url}/api/openapi.json`)).text())
  return { server, token, document }
}

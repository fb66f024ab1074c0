import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listening, type Server } from '../cli/process.ts'

/** A running demo of two days, which is whole. */
export interface Demo {
  readonly server: Server
  readonly token: string
  /** A file with its OpenAPI document. */
  readonly document: string
}

/** Starts the demo, whose files are in a folder: a later start takes the lake of an earlier one. */
export async function demo(folder: string): Promise<Demo> {
  const lake = join(folder, 'lake')
  const start = () =>
    listening([
      'demo',
      ...['--port', '0'],
      ...['--lake', lake, '--tokens', join(folder, 'tokens.json')],
      ...['--demo-days', '2', '--demo-tickers', '12', '--demo-trades', '3000', '--workers', '1'],
    ])
  if (!existsSync(lake)) {
    const first = await start()
    await first.until(() => first.output().includes('The demo market is complete'))
    await first.stop()
  }
  const server = await start()
  const token = /development token +(\S+)/.exec(server.output())?.[1] ?? ''
  const document = join(folder, 'openapi.json')
  writeFileSync(document, await (await fetch(`${server.url}/api/openapi.json`)).text())
  return { server, token, document }
}

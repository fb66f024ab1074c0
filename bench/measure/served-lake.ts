import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createToken } from '../../src/api/service/token-file.ts'
import { PROGRAM } from './program.ts'
import { freePort, type Started, start } from './started.ts'

/** So many servers of ours are measured in turns where processes of the same code differ by more than measurements of one. */
export const PROCESSES = 3

export interface ServedLake extends Started {
  readonly token: string
}

/** `tapehouse serve` in processes of its own, with a token for everything. `folder` gets the file of tokens. */
export async function servedLake(
  folder: string,
  lake: string,
  flags: Readonly<Record<string, string | number>>,
  program = PROGRAM,
): Promise<ServedLake> {
  const tokens = join(folder, `tokens-${process.pid}-${performance.now()}.json`)
  const token = await createToken(tokens, {
    name: 'bench',
    routes: ['*'],
    owner: null,
    admin: true,
    expiresAt: null,
  })
  const port = await freePort()
  const settings = { lake, tokens, port, 'admin-port': 0, 'log-level': 'info', ...flags }
  const started = await start(
    {
      command: process.execPath,
      arguments: [
        program,
        'serve',
        ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
      ],
      port,
    },
    output => /^Serving/m.test(output),
  )
  const stop = async () => {
    await started.stop()
    rmSync(tokens, { force: true })
  }
  return { ...started, token, stop }
}

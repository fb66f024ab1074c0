import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createToken } from '../../src/api/service/token-file.ts'
import { PROGRAM } from './program.ts'

export interface ServedTape {
  readonly address: string
  /** What the server has printed so far. */
  output(): string
  stop(): Promise<void>
}

/** `serve` in processes of its own, with a token for everything. `folder` gets the file of tokens. */
export async function servedTape(
  folder: string,
  lake: string,
  { workers, speed }: { readonly workers: number; readonly speed: number },
): Promise<ServedTape> {
  const tokens = join(folder, `tokens-${performance.now()}.json`)
  const token = await createToken(tokens, { name: 'bench', routes: ['*'], owner: null, expiresAt: null })
  const server = spawn(
    process.execPath,
    [
      PROGRAM,
      'serve',
      ...['--lake', lake, '--tokens', tokens, '--port', '0', '--admin-port', '0', '--log-level', 'info'],
      ...['--workers', String(workers), '--replay-speed', String(speed)],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const ended = new Promise<void>(resolve => server.once('close', () => resolve()))
  while (!/^Serving/m.test(output)) await sleep(50)
  const port = Number(/127\.0\.0\.1:(\d+)/.exec(output)?.[1])
  return {
    address: `ws://127.0.0.1:${port}/api/socket?token=${token}`,
    output: () => output,
    stop() {
      server.kill('SIGTERM')
      return ended
    },
  }
}

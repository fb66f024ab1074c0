import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { logTo } from '../../api/process/log.ts'
import { type Serving, supervise } from '../../api/process/supervisor.ts'
import { type ServeConfig, type WorkerMessage, work } from '../../api/process/worker.ts'
import { replayTold } from '../../api/service/replay-clock.ts'
import { Failure, firstLine } from '../../engine/failure.ts'
import { isValidDate } from '../../market/day.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import type { Settings } from '../command/settings.ts'
import { engineThreads } from '../terminal/threads.ts'
import { demoSettings, makeDemo, welcome } from './demo.ts'

export const serve: Command = {
  name: 'serve',
  usage: '[flags]',
  details:
    'Starts one worker a core on one port, follows the lake (a new snapshot is served within a second) and the tokens file, and stops on SIGTERM or Ctrl-C once requests under way are answered.',
  examples: ['tapehouse serve --lake data/lake --port 8787', 'tapehouse serve --demo'],
  settings: [
    'lake',
    'tokens',
    'host',
    'port',
    'adminPort',
    'workers',
    'threads',
    'leases',
    'queue',
    'deadlineMs',
    'memoryMib',
    'temporaryMib',
    'cacheMib',
    'drainMs',
    'replayDate',
    'replaySpeed',
    'logLevel',
    'publicUrl',
    'documentationUrl',
    'tokenUrl',
    'supportEmail',
    'demoDays',
    'demoTickers',
    'demoTrades',
  ],
  flags: { demo: { help: 'Serve a synthetic market, made first if need be, with a development token.' } },
  run: async ({ positionals, settings: asked, flags }) => {
    if (positionals.length > 0)
      throw usage(serve, `serve takes no argument such as ${JSON.stringify(positionals[0])}`)
    const demo = flags.demo?.length === 1
    const settings = demo ? demoSettings(asked) : asked
    const config = configOf(settings)
    const log = logTo(settings.logLevel)
    if (cluster.isWorker) {
      await startWorker({ ...config, replay: replayTold(config.replay, process.env) }, settings)
      // A worker lives until its server closes.
      return undefined
    }
    const token = demo ? await makeDemo(settings) : null
    await supervise(config, log, serving =>
      process.stdout.write(token === null ? started(settings, serving) : welcome(serving, token)),
    )
    return 0
  },
}

function configOf(settings: Settings): ServeConfig {
  const workers = settings.workers > 0 ? settings.workers : availableParallelism()
  const MEBIBYTE = 1024 ** 2
  return {
    lake: resolve(settings.lake),
    tokens: resolve(settings.tokens),
    host: settings.host,
    port: settings.port,
    adminPort: settings.adminPort,
    workers,
    threads: engineThreads(settings.threads, workers),
    leasesMax: settings.leases,
    queueMax: settings.queue,
    deadlineMs: settings.deadlineMs,
    memoryBytesMax: settings.memoryMib * MEBIBYTE,
    temporaryBytesMax: settings.temporaryMib * MEBIBYTE,
    cacheBytesMax: settings.cacheMib * MEBIBYTE,
    drainMs: settings.drainMs,
    replay: { date: replayDateOf(settings), begunMs: Date.now(), speed: settings.replaySpeed },
    publicUrl: settings.publicUrl?.replace(/\/+$/, '') ?? null,
    documentationUrl: settings.documentationUrl,
    tokenUrl: settings.tokenUrl,
    supportEmail: settings.supportEmail,
  }
}

function replayDateOf({ replayDate }: Settings): string | null {
  if (replayDate === null || isValidDate(replayDate)) return replayDate
  throw usage(serve, `--replay-date must be a day such as 2024-01-18, not ${JSON.stringify(replayDate)}`)
}

/** A worker that cannot start says why to its supervisor, which is the one to tell the terminal. */
async function startWorker(config: ServeConfig, { logLevel }: Settings): Promise<void> {
  const tell = (message: WorkerMessage) => process.send?.(message)
  try {
    await work(config, logTo(logLevel), tell)
  } catch (thrown) {
    if (!(thrown instanceof Failure))
      process.stderr.write(`${thrown instanceof Error ? thrown.stack : thrown}\n`)
    tell({ kind: 'refused', message: firstLine(thrown) })
    process.disconnect()
    process.exitCode = 1
  }
}

const started = ({ lake }: Settings, { url, adminUrl, snapshot }: Serving) =>
  `Serving ${lake} (snapshot ${snapshot}) at ${url}\nReference: ${url}/api/docs   Metrics: ${adminUrl}/-/metrics\n`

import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { ServeConfig } from '../../api/process/config.ts'
import { heldLog } from '../../api/process/held-log.ts'
import { logToStandardError } from '../../api/process/log.ts'
import type { WorkerMessage } from '../../api/process/messages.ts'
import { replayFromEnvironment } from '../../api/service/replay-clock.ts'
import { type Serving, supervise } from '../../api/supervise/supervisor.ts'
import { setV8Options } from '../../api/supervise/v8-options.ts'
import { explainLoad } from '../../engine/explain.ts'
import { Failure, firstLine } from '../../engine/failure.ts'
import { currentNumber } from '../../lake/store/current.ts'
import { behindLinks, lakeFolder } from '../../lake/store/layout.ts'
import { isValidDate } from '../../market/day.ts'
import { assertOnlyFlags, usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'
import { proofsFolder } from '../command/proofs-folder.ts'
import type { SettingName, Settings } from '../command/settings.ts'
import { admissionOf } from '../serve/admission.ts'
import { networkOf } from '../serve/network.ts'
import { permissionsOf } from '../serve/permissions.ts'
import { engineThreads } from '../terminal/threads.ts'

/** The settings of a server. */
export const SERVE_SETTINGS = [
  'lake',
  'snapshot',
  'proofsDir',
  'scrubHours',
  'allowSnapshots',
  'allowAsOf',
  'unknownParameters',
  'tokens',
  'host',
  'port',
  'adminHost',
  'adminPort',
  'tlsCert',
  'tlsKey',
  'behindProxy',
  'trustProxy',
  'workers',
  'threads',
  'leases',
  'queue',
  'connections',
  'peerConnections',
  'tokenConnections',
  'rateLimit',
  'answerMib',
  'unreadMib',
  'longAnswers',
  'deadlineMs',
  'memoryMib',
  'temporaryMib',
  'cacheMib',
  'storeMib',
  'workerMemoryMib',
  'drainMs',
  'closedPercent',
  'closedSessions',
  'maxAge',
  'replayDate',
  'replaySpeed',
  'logLevel',
  'publicUrl',
  'corsOrigins',
  'documentationUrl',
  'tokenUrl',
  'supportEmail',
] as const satisfies readonly SettingName[]

export const serve: Command = {
  name: 'serve',
  usage: '[flags]',
  details:
    'Starts one worker per core on one port. New snapshots of the lake (unless --snapshot selects one) and changes of the tokens file take effect within a second. SIGTERM or Ctrl-C stops the server after running requests have finished.',
  examples: ['tapehouse serve --lake data/lake --port 8787'],
  settings: [...SERVE_SETTINGS, 'requireReadOnly'],
  flags: {},
  run: async ({ positionals, settings }) => {
    assertOnlyFlags(serve, positionals)
    // The supervisor alone, before it starts workers.
    const notices = cluster.isPrimary ? permissionsOf(settings) : []
    return serveLake(settings, serving => process.stdout.write(started(settings, serving)), notices)
  },
}

/** Serves until a signal. Each worker process calls it with the same settings as the supervisor. */
export async function serveLake(
  settings: Settings,
  onServing: (serving: Serving) => void,
  notices: readonly string[] = [],
): Promise<number | undefined> {
  const config = configOf(settings)
  if (cluster.isWorker) {
    setV8Options()
    await startWorker({ ...config, replay: replayFromEnvironment(config.replay, process.env) }, settings)
    // A worker lives until its server closes.
    return undefined
  }
  // Without a lake no worker is started.
  await currentNumber(lakeFolder(config.lake))
  const { observe, file } = logToStandardError(settings.logLevel)
  const log = heldLog(observe)
  await supervise(config, { observe: log.observe, file }, serving => {
    log.release()
    for (const message of notices) observe({ kind: 'notice', message })
    onServing(serving)
  })
  return 0
}

function configOf(settings: Settings): ServeConfig {
  const workers = settings.workers > 0 ? settings.workers : availableParallelism()
  const MEBIBYTE = 1024 ** 2
  return {
    lake: resolve(settings.lake),
    tokens: resolve(settings.tokens),
    proofsFolder: proofsFolder(settings),
    scrubHours: settings.scrubHours,
    snapshot: settings.snapshot,
    allowSnapshots: settings.allowSnapshots,
    allowAsOf: settings.allowAsOf,
    ignoresUnknown: settings.unknownParameters === 'ignore',
    ...networkOf(settings),
    workers,
    threads: engineThreads(settings.threads, workers),
    leasesMax: settings.leases,
    queueMax: settings.queue,
    deadlineMs: settings.deadlineMs,
    memoryBytesMax: settings.memoryMib * MEBIBYTE,
    temporaryBytesMax: settings.temporaryMib * MEBIBYTE,
    storeBytesMax: Math.min(settings.storeMib, settings.memoryMib / 2) * MEBIBYTE,
    cacheBytesMax: settings.cacheMib * MEBIBYTE,
    admission: admissionOf(settings),
    drainMs: settings.drainMs,
    workerMemoryBytesMax: workerMemoryMib(settings) * MEBIBYTE,
    maxAgeSessions: settings.maxAge,
    closing: { percent: settings.closedPercent, sessions: settings.closedSessions },
    replay: { date: replayDateOf(settings), begunMs: Date.now(), speed: settings.replaySpeed },
    documentationUrl: settings.documentationUrl,
    tokenUrl: settings.tokenUrl,
    supportEmail: settings.supportEmail,
  }
}

const workerMemoryMib = ({ workerMemoryMib: own, memoryMib, cacheMib }: Settings) =>
  own > 0 ? own : memoryMib * 1.5 + cacheMib + 512

function replayDateOf({ replayDate }: Settings): string | null {
  if (replayDate === null || isValidDate(replayDate)) return replayDate
  throw usage(serve, `--replay-date must be a date such as 2024-01-18, not ${JSON.stringify(replayDate)}`)
}

/** Runs a worker. If it cannot start, it sends the reason to the supervisor, which reports it. */
async function startWorker(config: ServeConfig, { logLevel }: Settings): Promise<void> {
  const { observe, file } = logToStandardError(logLevel)
  const log = heldLog(observe)
  const send = (message: WorkerMessage) => {
    if (message.kind === 'ready') log.release()
    process.send?.(message)
  }
  try {
    // The supervisor does not need it, nor the engine.
    const { work } = await import('../../api/process/worker.ts')
    // The engine reads no other folder when a link changes later.
    await work({ ...config, lake: behindLinks(config.lake) }, { observe: log.observe, file }, send)
  } catch (error) {
    const thrown = explainLoad(error)
    if (!(thrown instanceof Failure))
      process.stderr.write(`${thrown instanceof Error ? thrown.stack : thrown}\n`)
    send({ kind: 'refused', ...refusalOf(thrown) })
    process.disconnect()
    process.exitCode = 1
  }
}

/** What a worker that cannot start reports. A defect has no code of its own. */
const refusalOf = (thrown: unknown) => ({
  code: thrown instanceof Failure ? thrown.code : ('start_refused' as const),
  message: firstLine(thrown),
})

const started = ({ lake }: Settings, { url, adminUrl, snapshot, synthetic }: Serving) =>
  `Serving ${lake} (snapshot ${snapshot}${synthetic ? ', only synthetic data' : ''}) at ${url}\nReference: ${url}/api/docs   Metrics: ${adminUrl}/-/metrics\n`

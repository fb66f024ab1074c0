import { Server as TlsServer } from 'node:tls'
import { Registry } from 'prom-client'
import { openEngine } from '../../engine/engine.ts'
import type { Observe } from '../../engine/observation.ts'
import { asOfShelf } from '../../lake/point-in-time/shelf.ts'
import { openProofs } from '../../lake/proof/proofs.ts'
import { rememberedProofs } from '../../lake/proof/remembered.ts'
import { type Scrub, scrubLake } from '../../lake/proof/scrub.ts'
import { pinnedLake } from '../../lake/snapshots/pinned.ts'
import { snapshotShelf } from '../../lake/snapshots/shelf.ts'
import { dataset } from '../../lake/store/datasets.ts'
import { followLake } from '../../lake/store/follow.ts'
import { lakeFolder, locator } from '../../lake/store/layout.ts'
import { allFiles } from '../../lake/store/snapshot.ts'
import { openAdmission } from '../admission/admission.ts'
import { REFERENCE_PATH } from '../http/documentation.ts'
import {
  countCrowded,
  measureAdmission,
  measureCache,
  measureLake,
  measureProcess,
  measureScrub,
  measureStore,
} from '../metrics/measurements.ts'
import { countObservations } from '../metrics/metrics.ts'
import { openCache } from '../service/answer-cache.ts'
import { dropFedBy } from '../service/fed-by.ts'
import { followTokens } from '../service/grant.ts'
import type { Service } from '../service/service.ts'
import type { Certificate } from './certificate.ts'
import type { ServeConfig } from './config.ts'
import { keepNewest } from './keep-newest.ts'
import { liveWithSupervisor } from './life.ts'
import type { Log } from './log.ts'
import { onMessage, type WorkerMessage } from './messages.ts'
import { holdSandbox } from './sandbox.ts'
import { buildServer } from './server.ts'

/** Serves the connections that the supervisor sends, until a `drain` message. Rejects if it cannot start. */
export async function work(
  config: ServeConfig,
  log: Log,
  send: (message: WorkerMessage) => void,
): Promise<void> {
  // Only the supervisor reads the certificate again. A closed terminal signals the whole process group.
  process.on('SIGHUP', () => {})
  const certificate = config.certificate === null ? null : await firstCertificate(send)
  const registry = new Registry()
  let gauges = () => ({ running: 0, queued: 0 })
  let onSnapshot = () => {}
  let onDamage = (_file: string) => {}
  const count = countObservations(registry, () => gauges())
  const observe: Observe = observation => {
    log.observe(observation)
    count(observation)
    if (observation.kind === 'query_stuck')
      send({
        kind: 'sick',
        cause: 'stuck',
        reason: `a query of ${observation.operation} goes on although it was interrupted`,
      })
    if (observation.kind === 'snapshot_served') onSnapshot()
    if (observation.kind === 'file_damaged') onDamage(observation.file)
    if (observation.kind === 'file_damaged' || observation.kind === 'file_mended')
      send({ kind: 'damaged', files: proofs.damaged() })
  }

  const grants = followTokens(config.tokens, observe)
  const lake =
    config.snapshot === null
      ? await followLake(config.lake, observe, config.closing)
      : await pinnedLake(config.lake, config.snapshot, observe, config.closing)
  const folder = lakeFolder(config.lake)
  const remembered =
    config.proofsFolder === null ? null : rememberedProofs(config.proofsFolder, folder, observe)
  const proofs = openProofs({ lake: folder, remembered, observe })
  const asOf = config.allowAsOf ? asOfShelf(config, proofs) : undefined
  const engine = await openEngine(
    {
      ...config,
      directories: asOf ? [asOf.folder] : [],
      locate: locator(config.lake),
      guard: proofs,
      schemaOf: dataset,
    },
    observe,
  )
  const stopProving = await holdSandbox(engine, observe, () => process.kill(process.pid, 'SIGKILL'))
  let served = lake.current()
  onSnapshot = () => {
    keepNewest(engine, served, lake.current())
    served = lake.current()
    proofs.release(({ dataset, name }) => served.files(dataset).some(file => file.name === name))
  }
  const cache = openCache(config.cacheBytesMax)
  const countCrowding = countCrowded(registry)
  const admission = openAdmission(config.admission, what => countCrowding(what))
  onDamage = file => dropFedBy(file, { cache, engine })
  measureProcess(registry)
  measureCache(registry, cache)
  const { turns, pageTurns } = admission
  gauges = () => ({
    running: engine.running,
    queued: engine.queued + turns.waiting + pageTurns.waiting,
  })
  measureStore(registry, engine.store)
  measureAdmission(registry, admission)
  measureLake(registry, lake)
  let scrub: Scrub | null = null
  measureScrub(registry, () => scrub)
  const service: Service = {
    engine,
    lake,
    proofs,
    ...(config.allowSnapshots ? { snapshots: snapshotShelf(config.lake, config.closing) } : {}),
    ...(asOf ? { asOf } : {}),
    ignoresUnknown: config.ignoresUnknown,
    grants,
    cache,
    admission,
    contacts: origin => ({
      documentation_url: config.documentationUrl ?? `${origin}${REFERENCE_PATH}`,
      support_email: config.supportEmail,
      token_url: config.tokenUrl ?? `${origin}${REFERENCE_PATH}`,
    }),
    publicUrl: config.publicUrl,
    ...(config.corsOrigins ? { corsOrigins: config.corsOrigins } : {}),
    deadlineMs: config.deadlineMs,
    replay: config.replay,
    observe,
  }
  const server = await buildServer(service, { certificate, trustedProxies: config.trustedProxies })
  await server.ready()
  liveWithSupervisor({
    config,
    server,
    engine,
    turns: admission.turns,
    registry,
    observe,
    log: log.file,
    send,
    async close() {
      await server.close()
      grants.close()
      stopProving()
      await engine.close()
      scrub?.close()
      proofs.close()
      asOf?.close()
    },
  })
  // Open connections keep the certificate that they began with.
  onMessage('certificate', ({ certificate: { cert, key } }) => {
    if (server.server instanceof TlsServer) server.server.setSecureContext({ cert, key })
  })
  const periodMs = config.scrubHours * 3_600_000
  onMessage('scrub', () => {
    scrub ??= scrubLake({ proofs, remembered, snapshot: lake.current, periodMs, observe })
  })
  onMessage('prove_again', ({ files: names }) => {
    const wanted = new Set(names)
    for (const file of allFiles(lake.current()))
      if (wanted.has(file.name)) proofs.proveAgain(file).catch(() => {})
  })
  const { number, synthetic } = lake.current()
  send({ kind: 'ready', snapshot: number, synthetic })
}

const firstCertificate = (send: (message: WorkerMessage) => void) =>
  new Promise<Certificate>(resolve => {
    onMessage('certificate', message => resolve(message.certificate))
    send({ kind: 'certificate_wanted' })
  })

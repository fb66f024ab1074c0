import { performance } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Engine } from '../../engine/engine.ts'
import { version } from '../../engine/resources.ts'
import type { Scrub } from '../../lake/proof/scrub.ts'
import type { Followed } from '../../lake/store/follow.ts'
import type { Admission } from '../admission/admission.ts'
import type { Crowding } from '../admission/connections.ts'
import type { AnswerCache } from '../service/answer-cache.ts'

/** What a process uses. The names are those that the clients of Prometheus agree on. */
export function measureProcess(registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Resident memory of all workers.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of all workers.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  let before = performance.eventLoopUtilization()
  new Gauge({
    name: 'tapehouse_event_loop_utilization',
    help: 'Share of the time since the last scrape in which the event loop of the busiest worker was busy, 0 to 1.',
    aggregator: 'max',
    registers,
    collect() {
      const now = performance.eventLoopUtilization()
      this.set(performance.eventLoopUtilization(now, before).utilization)
      before = now
    },
  })
}

/** The program and its supervisor, for the supervisor's own registry. */
export function describeProgram(registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'tapehouse_build_info',
    help: 'Always 1. The labels are the versions of the program, of Node.js and of DuckDB.',
    labelNames: ['version', 'node', 'duckdb'],
    registers,
    async collect() {
      // Loaded with the first scrape: the supervisor does not need the engine for anything else.
      const { duckdbVersion } = await import('../../engine/instance.ts')
      this.set({ version: version(), node: process.versions.node, duckdb: duckdbVersion() }, 1)
    },
  })
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'When the supervisor was started.',
    registers,
  }).set(Math.floor(performance.timeOrigin / 1000))
  new Gauge({
    name: 'tapehouse_supervisor_memory_bytes',
    help: 'Resident memory of the supervisor.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
}

/** The size of the cache of answers. */
export function measureCache(registry: Registry, cache: AnswerCache): void {
  const registers = [registry]
  new Gauge({
    name: 'tapehouse_cache_answers',
    help: 'Answers in the caches of all workers.',
    registers,
    collect() {
      this.set(cache.answers.size)
    },
  })
  new Gauge({
    name: 'tapehouse_cache_bytes',
    help: 'Size of the caches of all workers.',
    registers,
    collect() {
      this.set(cache.answers.calculatedSize + cache.requests.bytes)
    },
  })
}

/** Counts connections that were closed or not taken because of a limit. */
export function countCrowded(registry: Registry): (what: Crowding) => void {
  const counter = new Counter({
    name: 'tapehouse_connections_crowded_total',
    help: 'Connections at a limit: closed were closed to make room for new ones, refused were not taken because of --connections, refused_peer because of --peer-connections.',
    labelNames: ['what'],
    registers: [registry],
  })
  return what => counter.inc({ what })
}

/** What clients make the workers hold. */
export function measureAdmission(registry: Registry, { connections, unread, longAnswers }: Admission): void {
  const registers = [registry]
  new Gauge({
    name: 'tapehouse_connections',
    help: 'Open connections.',
    registers,
    collect() {
      this.set(connections.size)
    },
  })
  new Gauge({
    name: 'tapehouse_unread_bytes',
    help: 'Bytes of answers that clients have not read yet, without long answers.',
    registers,
    collect() {
      this.set(unread.bytes)
    },
  })
  new Gauge({
    name: 'tapehouse_long_answers',
    help: 'Long answers that are being sent, and requests whose first page is computed.',
    registers,
    collect() {
      this.set(longAnswers.taken)
    },
  })
}

/** The store of native tables. */
export function measureStore(registry: Registry, store: Engine['store']): void {
  const registers = [registry]
  new Gauge({
    name: 'tapehouse_store_tables',
    help: 'Native tables in the stores of all workers.',
    registers,
    collect() {
      this.set(store.tables)
    },
  })
  new Gauge({
    name: 'tapehouse_store_bytes',
    help: 'Memory of the native tables of all workers.',
    registers,
    collect() {
      this.set(store.bytes)
    },
  })
  new Counter({
    name: 'tapehouse_store_reads_total',
    help: 'Lists of files that queries read from native tables.',
    registers,
    collect() {
      this.reset()
      this.inc(store.reads)
    },
  })
}

/** The scrub of the lake; null in a worker that does none. */
export function measureScrub(registry: Registry, current: () => Scrub | null): void {
  const registers = [registry]
  new Counter({
    name: 'tapehouse_scrubbed_files_total',
    help: 'Files of the lake that were read again to see whether the disk still returns what was written.',
    registers,
    collect() {
      this.reset()
      this.inc(current()?.files ?? 0)
    },
  })
  new Counter({
    name: 'tapehouse_scrubbed_bytes_total',
    help: 'Bytes of these files.',
    registers,
    collect() {
      this.reset()
      this.inc(current()?.bytes ?? 0)
    },
  })
  new Gauge({
    name: 'tapehouse_scrub_completed_timestamp_seconds',
    help: 'When all files of the lake had last been read again; 0 if they have not been.',
    aggregator: 'max',
    registers,
    collect() {
      this.set((current()?.completedMs ?? 0) / 1000)
    },
  })
}

/** How old the served lake is. A worker without requests looks for a newer snapshot here. */
export function measureLake(registry: Registry, lake: Followed): void {
  const registers = [registry]
  new Gauge({
    name: 'tapehouse_snapshot_published_timestamp_seconds',
    help: 'When the current snapshot was published; of several workers, the earliest.',
    aggregator: 'min',
    registers,
    async collect() {
      const { createdAt } = await lake.pin()
      this.set(Date.parse(createdAt) / 1000)
    },
  })
  new Gauge({
    name: 'tapehouse_dataset_last_date_timestamp_seconds',
    help: 'The latest date of each dataset, as the beginning of that day in UTC.',
    labelNames: ['dataset'],
    aggregator: 'min',
    registers,
    async collect() {
      const snapshot = await lake.pin()
      this.reset()
      for (const dataset of snapshot.datasets) {
        const date = snapshot.lastDate(dataset)
        if (date !== null) this.set({ dataset }, Date.parse(date) / 1000)
      }
    },
  })
}

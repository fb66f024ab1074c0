import { Counter, type Metric, type Registry } from 'prom-client'
import type { Observation } from '../../engine/observation.ts'

type EndedRequest = Extract<Observation, { kind: 'request' }>

/** Requests for one operation that are alike for the counters. */
interface Alike extends Pick<EndedRequest, 'method' | 'status' | 'cache'> {
  requests: number
}

/** The requests for one operation. */
interface OfOperation {
  readonly operation: string
  readonly alike: Alike[]
  bytes: number
  /** For each bound the requests that took no longer, but longer than the bound before; those that took longer than all bounds last. */
  readonly within: number[]
  seconds: number
}

/**
 * Counts requests, and how long they took. The series are made when they are read: to find those of a request takes prom-client as
 * long as much of a cached answer. `bounds` of the histogram are in seconds.
 */
export function countRequests(
  registry: Registry,
  bounds: readonly number[],
): (request: EndedRequest) => void {
  const all = new Map<string, OfOperation>()
  const registers = [registry]
  new Counter({
    name: 'tapehouse_requests_total',
    help: 'Requests served.',
    labelNames: ['operation', 'method', 'status'],
    registers,
    collect() {
      this.reset()
      for (const { operation, alike } of all.values())
        for (const { method, status, requests } of alike) this.inc({ operation, method, status }, requests)
    },
  })
  new Counter({
    name: 'tapehouse_answer_bytes_total',
    help: 'Bytes of response bodies sent, after content coding.',
    labelNames: ['operation'],
    registers,
    collect() {
      this.reset()
      for (const { operation, bytes } of all.values()) this.inc({ operation }, bytes)
    },
  })
  new Counter({
    name: 'tapehouse_cache_total',
    help: 'Answers that were in the cache (hit), that the client had already (match), or that were computed (miss).',
    labelNames: ['operation', 'use'],
    registers,
    collect() {
      this.reset()
      for (const { operation, alike } of all.values())
        for (const { cache: use, requests } of alike) if (use !== null) this.inc({ operation, use }, requests)
    },
  })
  registry.registerMetric(histogramOf(all, bounds))

  function add(operation: string): OfOperation {
    const added = { operation, alike: [], bytes: 0, within: [...bounds.map(() => 0), 0], seconds: 0 }
    all.set(operation, added)
    return added
  }

  return ({ operation, method, status, cache, bytes, durationMs }) => {
    const own = all.get(operation) ?? add(operation)
    const seconds = durationMs / 1000
    own.bytes += bytes
    own.seconds += seconds
    let bound = 0
    while (bound < bounds.length && seconds > (bounds[bound] as number)) bound += 1
    own.within[bound] = (own.within[bound] as number) + 1
    for (const each of own.alike)
      if (each.status === status && each.cache === cache && each.method === method) {
        each.requests += 1
        return
      }
    own.alike.push({ method, status, cache, requests: 1 })
  }
}

/** A histogram of how long requests took, with what prom-client reads of a metric. Its own one counts each request by itself. */
function histogramOf(all: ReadonlyMap<string, OfOperation>, bounds: readonly number[]): Metric {
  const name = 'tapehouse_request_seconds'
  const described = {
    name,
    help: 'Time from a request to the end of its response.',
    type: 'histogram',
    labelNames: ['operation'],
    aggregator: 'sum',
  }
  function seriesOf({ operation, within, seconds }: OfOperation) {
    let requests = 0
    const buckets = within.map((own, index) => {
      requests += own
      return {
        metricName: `${name}_bucket`,
        labels: { le: bounds[index] ?? '+Inf', operation },
        value: requests,
      }
    })
    const labels = { operation }
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: seconds },
      { metricName: `${name}_count`, labels, value: requests },
    ]
  }
  const metric = {
    ...described,
    get: async () => ({ ...described, values: [...all.values()].flatMap(seriesOf) }),
  }
  // The types of prom-client know its own classes only. Its sums of several registries are objects like this one.
  return metric as unknown as Metric
}

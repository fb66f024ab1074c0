import { AggregatorRegistry, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { countObservations } from '../../../src/api/metrics/metrics.ts'
import type { Observation } from '../../../src/engine/observation.ts'

type Request = Extract<Observation, { kind: 'request' }>

const request = (operation: string, rest: Partial<Request>): Request => ({
  kind: 'request',
  requestId: 'own',
  operation,
  method: 'GET',
  path: '/',
  status: 200,
  durationMs: 1,
  bytes: 100,
  token: null,
  client: '127.0.0.1',
  cache: null,
  reason: null,
  ...rest,
})

test('requests are counted by their labels, also after the counters were read', async () => {
  const registry = new Registry()
  const count = countObservations(registry, () => ({ running: 0, queued: 0 }))
  const series = async () =>
    (await registry.metrics())
      .split('\n')
      .filter(line => /^tapehouse_(requests|cache|answer_bytes)_total/.test(line))
  expect(await series()).toEqual([])
  count(request('alerts', { cache: 'hit' }))
  count(request('alerts', { cache: 'hit', bytes: 20 }))
  count(request('alerts', { cache: 'miss', bytes: 3 }))
  count(request('alerts', { method: 'HEAD', cache: 'hit', bytes: 0 }))
  count(request('unknown', { status: 404 }))
  for (const _ of ['first', 'second'])
    expect(await series()).toEqual([
      'tapehouse_requests_total{operation="alerts",method="GET",status="200"} 3',
      'tapehouse_requests_total{operation="alerts",method="HEAD",status="200"} 1',
      'tapehouse_requests_total{operation="unknown",method="GET",status="404"} 1',
      'tapehouse_answer_bytes_total{operation="alerts"} 123',
      'tapehouse_answer_bytes_total{operation="unknown"} 100',
      'tapehouse_cache_total{operation="alerts",use="hit"} 3',
      'tapehouse_cache_total{operation="alerts",use="miss"} 1',
    ])
  count(request('unknown', { status: 404 }))
  expect(await series()).toContain(
    'tapehouse_requests_total{operation="unknown",method="GET",status="404"} 2',
  )
})

test('how long requests took is written as prom-client writes it, also added up over workers', async () => {
  const milliseconds = [0, 0.4, 1, 1.0001, 2.5, 7, 99.9, 100, 250, 9999, 10_000, 10_001, 60_000]
  const [ours, theirs] = [new Registry(), new Registry()]
  const count = countObservations(ours, () => ({ running: 0, queued: 0 }))
  const histogram = new Histogram({
    name: 'tapehouse_request_seconds',
    help: 'Time from a request to the end of its response.',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [theirs],
  })
  for (const [index, durationMs] of milliseconds.entries())
    for (const operation of index % 3 === 0 ? ['alerts', 'greeks'] : ['alerts']) {
      count(request(operation, { durationMs, status: index % 2 === 0 ? 200 : 304 }))
      histogram.observe({ operation }, durationMs / 1000)
    }
  const lines = (text: string) => text.split('\n').filter(line => line.includes('request_seconds'))
  expect(lines(await ours.metrics())).toEqual(lines(await theirs.metrics()))
  const added = async (registry: Registry) =>
    lines(
      await AggregatorRegistry.aggregate([
        await registry.getMetricsAsJSON(),
        await registry.getMetricsAsJSON(),
      ] as unknown as object[]).metrics(),
    )
  expect(await added(ours)).toEqual(await added(theirs))
  expect(await added(ours)).toContain('tapehouse_request_seconds_count{operation="greeks"} 10')
})

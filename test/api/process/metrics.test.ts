import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { countObservations } from '../../../src/api/process/metrics.ts'
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

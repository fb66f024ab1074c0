import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { replaceResources, resources, version } from '../../src/engine/resources.ts'

test('resources are read from the checkout, or from the replacement of a bundled build', () => {
  expect(resources.list('sql/endpoints')).toContain('analytics-window.sql')
  expect(resources.list('sql/nowhere')).toEqual([])
  expect(resources.read('sql/endpoints/analytics-window.sql')).toContain('SELECT')
  expect(() => resources.read('sql/endpoints/nothing.sql')).toThrow()
  expect(version()).toMatch(/^\d+\.\d+\.\d+$/)
  expect(resources.build()).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/)

  const assets: Record<string, string> = { 'package.json': '{"version": "9.9.9"}' }
  const replaced = replaceResources({
    read: path => assets[path] ?? '',
    list: () => ['one'],
    build: () => 'bundled',
    startThread: file => new Worker(file),
  })
  onTestFinished(() => {
    replaceResources(replaced)
  })
  expect(version()).toBe('9.9.9')
  expect([resources.list('sql'), resources.build()]).toEqual([['one'], 'bundled'])
})

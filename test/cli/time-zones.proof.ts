import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { countCases } from '../fixtures/tier.ts'
import { serving, tapehouse } from './process.ts'

/** The same bytes come from the same data wherever a program runs: in three time zones, of which one is ahead of UTC. */

const ZONES = ['UTC', 'America/New_York', 'Pacific/Auckland'] as const

const release = fileURLToPath(new URL('../fixtures/lakes/0.1.0/', import.meta.url))

interface Recorded {
  readonly operation: string
  readonly request: Readonly<Record<string, string>>
}

let requests: readonly string[] = []

beforeAll(() => {
  const lines = readFileSync(join(release, 'answers.ndjson'), 'utf8').trimEnd().split('\n')
  requests = lines.map(line => {
    const { operation: id, request }: Recorded = JSON.parse(line)
    const operation = operations.find(each => each.id === id)
    if (operation === undefined) throw new Error(`there is no operation ${id}`)
    const query = new URLSearchParams(request)
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = query.get(name) ?? ''
      query.delete(name)
      return encodeURIComponent(value)
    })
    return `${path}?${query}`
  })
})

test('all operations answer a lake with the same bytes', async () => {
  const folder = folderForTest()
  const lake = join(folder, 'lake')
  mkdirSync(lake)
  execFileSync('tar', ['-xzf', join(release, 'lake.tar.gz'), '-C', lake])
  const tokens = join(folder, 'tokens.json')
  const made = await tapehouse(['token', 'create', '--name', 'all', '--tokens', tokens])
  const token = /[0-9a-f-]{36}/.exec(made.stdout.toString())?.[0] ?? made.stderr
  const answers: string[][] = []
  for (const TZ of ZONES) {
    const server = await serving(['--lake', lake, '--tokens', tokens, '--workers', '1'], { TZ })
    const own: string[] = []
    for (const request of requests) {
      const response = await fetch(`${server.url}${request}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      own.push(
        `${request} ${response.status} ${response.headers.get('x-tapehouse-date')} ${await response.text()}`,
      )
    }
    answers.push(own)
    await server.stop()
  }
  expect(answers[0]?.filter(each => each.includes(' 200 ')).length).toBe(operations.length)
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  countCases(ZONES.length * requests.length)
})

/** Samples with dates and times, some of which have no zone. */
const SAMPLES = ['option-trades', 'minute-bars', 'crypto-bars', 'posts']

test('samples are imported as the same files', async () => {
  const lakes: string[][] = []
  for (const TZ of ZONES) {
    const lake = join(folderForTest(), 'lake')
    for (const name of SAMPLES) {
      const { code, stderr } = await tapehouse(['import', name, `data/samples/${name}`, '--lake', lake], {
        TZ,
      })
      expect(code, stderr).toBe(0)
    }
    // The name of a file is a hash of its content.
    const files = readdirSync(lake, { recursive: true, encoding: 'utf8' })
    lakes.push(files.filter(name => name.endsWith('.parquet') && !name.startsWith('superseded')).toSorted())
  }
  expect(lakes[0]?.length).toBeGreaterThan(SAMPLES.length)
  expect(lakes[1]).toEqual(lakes[0])
  expect(lakes[2]).toEqual(lakes[0])
  countCases(ZONES.length * SAMPLES.length)
})

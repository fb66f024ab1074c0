import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { checkoutPath } from '../../src/engine/resources.ts'
import { tapehouseHere } from '../cli/in-process.ts'
import { serving } from '../cli/process.ts'
import { makeLake, SMALL_DAYS, temporaryFolder } from '../fixtures/lake.ts'

const folder = temporaryFolder()
/** The names of the labels of each metric that a server and a maintenance report. */
let reported: ReadonlyMap<string, ReadonlySet<string>>

// The hooks of a process end with a test, so that the server is started in one.
test('a running server and a maintenance report metrics', async () => {
  const lake = await makeLake(folder, { days: SMALL_DAYS })
  const tokens = join(folder, 'tokens.json')
  const token = await createToken(tokens, { name: 'test', routes: ['*'], owner: null, expiresAt: null })
  const file = join(folder, 'maintain.prom')
  expect((await tapehouseHere(['maintain', '--lake', lake, '--metrics-file', file])).code).toBe(0)
  const server = await serving(['--lake', lake, '--tokens', tokens, '--workers', '1', '--max-age', '5'])
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${server.url}/api/analytics/window?symbols=ONE&range=full&calculations=MEAN`, { headers })
  const live = await (await fetch(`${server.adminUrl}/-/metrics`)).text()
  const written = readFileSync(file, 'utf8')
  expect(written).toMatch(/^tapehouse_maintain_success 1$/m)
  expect(written).toMatch(/^tapehouse_maintain_step_seconds\{step="compact"\} \d+\.\d{3}$/m)
  reported = labelsIn(`${live}\n${written}\n${nightlySamples()}`)
  expect([...(reported.get('tapehouse_build_info') ?? [])]).toEqual(['version', 'node', 'duckdb'])
  expect(reported.get('tapehouse_dataset_last_date_timestamp_seconds')).toEqual(new Set(['dataset']))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What `deploy/nightly` writes, as the script has it. */
const nightlySamples = () =>
  read('deploy/nightly')
    .replaceAll(/^ *(echo '|echo "|samples="\$\{samples\})/gm, '')
    .replaceAll('\\"', '"')

/** The metrics of a page: those with samples, and those that are declared and have none yet. */
function labelsIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, name = ''] of text.matchAll(/^# TYPE (\w+) /gm)) found.set(name, new Set())
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z]\w+)(?:\{(.*)\})? \S+$/gm))
    found.set(
      name,
      new Set([
        ...(found.get(name) ?? []),
        ...[...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
      ]),
    )
  return found
}

/** Labels of metrics of which this server has no sample. */
const WITHOUT_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  tapehouse_socket_messages_total: ['channel'],
  tapehouse_connections_crowded_total: ['what'],
  tapehouse_workers_replaced_total: ['cause'],
}

const labelsOf = (name: string) => [...(reported.get(name) ?? []), ...(WITHOUT_SAMPLES[name] ?? [])]

/** What an expression names that is not reported. */
function unknownIn(expression: string): string[] {
  const names = [...expression.matchAll(/\b((?:tapehouse|process)_\w+)(?:\{([^}]*)\})?/g)]
  const known = new Set(names.flatMap(([, name = '']) => labelsOf(name)))
  const selected = names.flatMap(([, name = '', labels = '']) =>
    [...labels.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => ({ name, label })),
  )
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(/, */),
  )
  return [
    ...names.flatMap(([, name = '']) => (reported.has(name) ? [] : [name])),
    ...selected.flatMap(({ name, label }) => (labelsOf(name).includes(label) ? [] : [`${name}{${label}}`])),
    ...grouped.filter(label => !known.has(label)),
  ]
}

const read = (path: string) => readFileSync(checkoutPath(path), 'utf8')

describe('every metric and label exists', () => {
  test('in the dashboard', () => {
    const { panels } = JSON.parse(read('deploy/grafana-dashboard.json'))
    const targets = panels.flatMap(
      ({ targets }: { targets: { expr: string; legendFormat: string }[] }) => targets,
    )
    expect(targets.length).toBeGreaterThan(20)
    for (const { expr } of targets) expect(unknownIn(expr), expr).toEqual([])
  })

  test('in the alert rules, and each rule is in the document', () => {
    const rules = read('deploy/alerts.yml')
    const expressions = [...rules.matchAll(/^ +expr: (.*)$/gm)].map(([, text = '']) => text)
    expect(expressions.length).toBeGreaterThan(8)
    for (const expression of expressions) expect(unknownIn(expression), expression).toEqual([])
    for (const [, name] of rules.matchAll(/alert: (\w+)/g))
      expect(read('docs/operate.md')).toContain(`| \`${name}\` |`)
  })

  test('in the document, and what does not exist is found', () => {
    const named = [...read('docs/operate.md').matchAll(/`((?:tapehouse|process)_\w+)`/g)].map(
      ([, name = '']) => name,
    )
    expect(named.filter(name => !reported.has(name))).toEqual([])
    expect(
      unknownIn('sum by (nowhere) (tapehouse_cache_total{use="hit", where="x"}) > tapehouse_nothing'),
    ).toEqual(['tapehouse_nothing', 'tapehouse_cache_total{where}', 'nowhere'])
  })
})

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderForTest } from '../fixtures/lake.ts'
import { root } from '../house/source.ts'

const isInstalled = existsSync('/usr/bin/promtool')

/** The text before the first item of a list in YAML, and its items. */
function itemsOf(path: string, item: string) {
  const [head = '', ...items] = readFileSync(join(root, path), 'utf8').split(new RegExp(`^(?=${item})`, 'm'))
  return { head, items }
}
const rules = itemsOf('deploy/alerts.yml', ' +- alert: ')
const tests = itemsOf('test/deploy/alerts.yml', ' {2}- name: ')
const named = rules.items.map(rule => ({ name: /alert: (\w+)/.exec(rule)?.[1] ?? '', rule }))

/** What `promtool` says of the series of one alert, if this is its rule. */
function verdictOn(rule: string, series: readonly string[]): string {
  const folder = folderForTest()
  writeFileSync(join(folder, 'rules.yml'), `${rules.head}${rule}`)
  const head = tests.head.replace(/rule_files: .*/, 'rule_files: [rules.yml]')
  writeFileSync(join(folder, 'tests.yml'), `${head}${series.join('')}`)
  const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'tests.yml'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return `${stdout}${stderr}`
}

/** The same rule with another condition, which counts at once. */
const withCondition = (rule: string, condition: string) =>
  rule.replace(/expr: .*/, `expr: ${condition}`).replace(/for: .*/, 'for: 0m')

test.skipIf(!isInstalled)('Prometheus accepts the alert rules (needs the package prometheus)', () => {
  const checked = execFileSync('promtool', ['check', 'rules', join(root, 'deploy/alerts.yml')], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(checked).toContain('SUCCESS: 18 rules found')
})

describe('the series of alerts.yml', () => {
  test('are of the alerts that there are', () => {
    const names = tests.items.flatMap(series => [...new Set(series.match(/(?<=alertname: )\w+/g))])
    expect(names).toHaveLength(tests.items.length)
    expect([...new Set(names)].sort()).toEqual(named.map(({ name }) => name).sort())
  })

  test.skipIf(!isInstalled).each(named)(
    'make $name fire and stay silent, and notice if it never fires or always does (needs the package prometheus)',
    ({ name, rule }) => {
      const series = tests.items.filter(each => new RegExp(`alertname: ${name}\\b`).test(each))
      expect(verdictOn(rule, series)).toContain('SUCCESS')
      expect(verdictOn(withCondition(rule, 'vector(1) < 1'), series)).toMatch(/got:\[\s*\]/)
      expect(verdictOn(withCondition(rule, 'vector(1)'), series)).toMatch(/exp:\[\s*\],\s*got:\[\s*0:/)
    },
  )
})

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../house/source.ts'

const isInstalled = existsSync('/usr/bin/promtool')
const promtool = (...args: string[]) => execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' })

test.skipIf(!isInstalled)('Prometheus accepts the alert rules (needs the package prometheus)', () => {
  expect(promtool('check', 'rules', join(root, 'deploy/alerts.yml'))).toContain('SUCCESS: 18 rules found')
})

test.skipIf(!isInstalled)(
  'the rules about a server that is down, that has no workers, whose workers are replaced, whose connections wait or are refused, and about the nightly run fire and stay silent as the series of alerts.yml say (needs the package prometheus)',
  () => {
    expect(promtool('test', 'rules', join(root, 'test/deploy/alerts.yml'))).toContain('SUCCESS')
  },
)

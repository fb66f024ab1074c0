import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SETTINGS } from '../../src/cli/command/settings.ts'
import { read, root } from '../house/source.ts'

/** The greatest permitted exposure, of 10, as `systemd-analyze security` computes it. */
const EXPOSURE_MAX = 2

const unit = 'deploy/tapehouse.service'

test.skipIf(!existsSync('/usr/bin/systemd-analyze'))(
  'the unit is hardened (needs the package systemd)',
  () => {
    const output = execFileSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', join(root, unit)],
      { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const [, exposure] = /Overall exposure level for tapehouse\.service: ([\d.]+)/.exec(output) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(EXPOSURE_MAX)
  },
)

test.each([unit, 'deploy/Dockerfile'])('%s sets settings that exist', file => {
  const known = Object.keys(SETTINGS).map(name =>
    `TAPEHOUSE_${name.replaceAll(/[A-Z]/g, letter => `_${letter}`)}`.toUpperCase(),
  )
  const set = [...read(file).matchAll(/(TAPEHOUSE_[A-Z_]+)=/g)].map(([, name]) => name)
  expect(set.length).toBeGreaterThan(1)
  expect(known).toEqual(expect.arrayContaining(set))
})

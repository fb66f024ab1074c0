import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256Of } from '../../../src/lake/store/content.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { importOptionDays } from '../../fixtures/option-days.ts'
import { DAMAGES } from '../../lake/proof/damages.ts'
import { tapehouseHere } from '../in-process.ts'

test('verify --repair repairs what it can, names what to import again, and ends with 0 once nothing is left', async () => {
  const folder = folderForTest()
  const lake = await importOptionDays(folder, [{ date: '2024-01-10', trades: { ACME: 5 } }])
  const replica = join(folder, 'replica')
  cpSync(lake, replica, { recursive: true })
  const verify = (...more: string[]) => tapehouseHere(['verify', '--lake', lake, ...more])
  const right = await verify()
  expect(right.code).toBe(0)

  const snapshot = await loadSnapshot(lake)
  const [trades] = snapshot.files('option_trades')
  const [contracts] = snapshot.files('contract_days')
  DAMAGES['the end is lost']?.(contracts?.path ?? '', '')
  const found = await verify()
  expect([found.code, found.stdout.toString()]).toEqual([1, ''])
  expect(found.stderr).toContain(`${contracts?.name}: it has`)
  expect(found.stderr).toContain('snapshot 1 has 1 problem: run "tapehouse verify --repair"')

  const derived = await verify('--repair')
  expect([derived.code, derived.stderr]).toEqual([0, ''])
  expect(derived.stdout.toString()).toBe(
    `contract_days: 1 day computed again\nSnapshot 2.\n${right.stdout.toString().replace('Snapshot 1', 'Snapshot 2')}`,
  )

  DAMAGES['the end is lost']?.(trades?.path ?? '', '')
  const sha256 = sha256Of(readFileSync(join(folder, 'option_trades.csv')))
  const needed = await verify('--repair')
  expect([needed.code, needed.stdout.toString()]).toEqual([1, ''])
  expect(needed.stderr).toContain(
    `tapehouse: snapshot 2 has 1 problem\n1 file of option_trades can be restored from another copy of the lake, or made again: import these files, in this order, into a new lake NEW, then run "tapehouse verify --repair --from NEW --lake ${lake}"\n  tapehouse import csv option_trades option_trades.csv: sha256 ${sha256}, imported at 20`,
  )

  const restored = await verify('--repair', '--from', replica)
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  expect(restored.stdout.toString()).toContain(`restored from ${replica}: ${trades?.name}\n`)
  const idle = await verify('--repair', '--from', replica)
  expect([idle.code, idle.stderr]).toEqual([0, ''])
  expect(idle.stdout.equals((await verify()).stdout)).toBe(true)

  const wrong = await verify('--from', replica)
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('add --repair')])
})

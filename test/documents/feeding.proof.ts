import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkoutPath } from '../../src/engine/resources.ts'
import { operations } from '../../src/operations/index.ts'
import { tapehouseHere } from '../cli/in-process.ts'
import { temporaryFolder } from '../fixtures/lake.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('each operation of docs/feeding.md has a command, and all commands make a lake that has its datasets', async () => {
  const page = readFileSync(checkoutPath('docs/feeding.md'), 'utf8')
  const rows = [
    ...page.matchAll(/^\| \[`([\w-]+)`\].*`tapehouse (import [\w-]+ \S+) --lake data\/lake` \|$/gm),
  ]
  expect(rows.map(([, id]) => id)).toEqual(operations.map(({ id }) => id).toSorted())
  const lake = join(folder, 'lake')
  const commands = [...page.matchAll(/tapehouse (import [\w-]+ \S+) --lake data\/lake/g)]
  for (const command of new Set(commands.map(([, text = '']) => text))) {
    const { code, stderr } = await tapehouseHere([...command.split(' '), '--lake', lake])
    expect([command, code, stderr]).toEqual([command, 0, expect.any(String)])
  }
  const info = await tapehouseHere(['info', '--lake', lake])
  expect(info.stdout.toString()).toContain(`${operations.length} of ${operations.length} have`)
})

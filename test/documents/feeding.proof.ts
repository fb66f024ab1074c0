import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { checkoutPath } from '../../src/engine/resources.ts'
import { operations } from '../../src/operations/index.ts'
import { tapehouseHere } from '../cli/in-process.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { recordsOf } from '../golden/cases.ts'
import { FED_ANSWERS } from './feeding-answers.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const page = readFileSync(checkoutPath('docs/feeding.md'), 'utf8')

/** The operations of the page, each with the command that it names. */
const FED = [...page.matchAll(/^\| \[`([\w-]+)`\].*`tapehouse (import [^`]+) --lake data\/lake` \|$/gm)].map(
  ([, id = '', command = '']) => ({ id, command }),
)

/** Commands that add what operations join to their rows. */
const ADDED = [...page.matchAll(/^tapehouse (import .+) --lake data\/lake$/gm)].map(
  ([, command = '']) => command,
)

const importing = async (command: string, lake: string) => {
  const { code, stderr } = await tapehouseHere([...command.split(' '), '--lake', lake])
  expect([command, code, stderr]).toEqual([command, 0, expect.any(String)])
}

test('each operation is on the page, with a command and an answer', () => {
  const ids = operations.map(({ id }) => id).toSorted()
  expect(FED.map(({ id }) => id)).toEqual(ids)
  expect(Object.keys(FED_ANSWERS).toSorted()).toEqual(ids)
})

describe.each([...new Set(FED.map(({ command }) => command))])('%s, alone in a new lake', command => {
  const lake = join(folder, command.replaceAll(/\W+/g, '-'))
  let imported: Promise<void> | undefined

  test.each(FED.filter(each => each.command === command))('answers $id', async ({ id }) => {
    imported ??= importing(command, lake)
    await imported
    const fed = FED_ANSWERS[id]
    if (fed === undefined) throw new Error(`there is no answer to ${id}`)
    const flags = fed.request.split(' ').filter(flag => flag !== '')
    const { code, stdout, stderr } = await tapehouseHere([
      ...['query', id, ...flags],
      ...['--format', 'json', '--lake', lake],
    ])
    expect([code, stderr]).toEqual([0, ''])
    const records = recordsOf(JSON.parse(stdout.toString()))
    expect(records).toContainEqual(expect.objectContaining(fed.record))
    expect(records).toHaveLength(fed.count)
  })
})

test('the commands that add to the answers make, with the others, one lake', async () => {
  expect(ADDED.length).toBeGreaterThan(3)
  const lake = join(folder, 'one')
  for (const command of new Set([...FED.map(each => each.command), ...ADDED])) await importing(command, lake)
  const info = await tapehouseHere(['info', '--lake', lake])
  expect(info.stdout.toString()).toContain(`${operations.length} of ${operations.length} have`)
})

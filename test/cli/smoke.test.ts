import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { examine } from '../../src/cli/smoke/answer.ts'
import { operations } from '../../src/operations/index.ts'
import { makeLake, SMALL_DAYS, temporaryFolder } from '../fixtures/lake.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { operationOf } from '../golden/cases.ts'
import { SPECIFIED } from '../operations/specification/parameters.ts'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const command = fileURLToPath(new URL('../../bin/smoke.js', import.meta.url))

async function smoke(...args: string[]): Promise<{ code: unknown; lines: string[] }> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', text => {
    output += text
  })
  const code = await new Promise(resolve => child.once('close', resolve))
  return { code, lines: output.trimEnd().split('\n') }
}

describe('the smoke test', () => {
  test('of a generated lake has an answer from every operation', { tags: 'slow' }, async () => {
    const { code, lines } = await smoke('--lake', await sharedMarket('whole'))
    expect(lines.at(-1)).toBe(`${operations.length} of ${operations.length}`)
    expect(lines.slice(0, -1).map(line => line.split(/\s+/)[0])).toEqual(operations.map(({ id }) => id))
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^\S+ +200 +[1-9]\d* r +[1-9]\d* B +\d+ ms$/)
    expect(code).toBe(0)
  })

  test('of a lake that lacks data names the operations that are without', { tags: 'slow' }, async () => {
    const lake = await makeLake(folder, { days: SMALL_DAYS })
    const { code, lines } = await smoke('--lake', lake)
    expect(lines.at(-2)).toMatch(/^without data: .*forex-rate \(fx_quotes\)/)
    const without = [...(lines.at(-2) ?? '').matchAll(/([a-z-]+) \(\w+\)/g)].map(([, id = '']) => id)
    expect(Object.keys(SPECIFIED).filter(id => !without.includes(id))).toEqual(['analytics-window'])
    expect(lines.at(-1)).toBe(`${operations.length - without.length} of ${operations.length}`)
    expect(code).toBe(0)
  })

  test('of a folder without a lake fails', async () => {
    expect((await smoke('--lake', join(folder, 'nowhere'))).code).toBe(1)
  })
})

describe('an answer', () => {
  const volumeOi = operationOf('volume-oi-expiry')
  const row = { expires: '2024-01-19', oi: 5, volume: 7 }
  const look = (data: unknown) => examine(volumeOi, { data })

  test('with values passes', () => {
    expect(look([row, { ...row, oi: null }])).toEqual({ rows: 2, problems: [], blank: [] })
  })

  test('without a row is a fault', () => {
    expect(look([])).toEqual({ rows: 0, problems: ['the answer is empty'], blank: [] })
    expect(examine(operationOf('analytics-window'), { data: { meta: null, payload: null } }).rows).toBe(0)
  })

  test('with a field that no row has a value of names the field', () => {
    expect(
      look([
        { ...row, oi: null },
        { ...row, oi: null },
      ]),
    ).toEqual({ rows: 2, problems: [], blank: ['oi'] })
  })

  test('that does not fit its schema is a fault', () => {
    expect(look([{ ...row, volume: '7' }]).problems).toEqual([
      expect.stringMatching(/does not fit its schema/),
    ])
  })
})

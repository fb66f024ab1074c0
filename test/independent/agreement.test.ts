import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AGREE, ALL, agree, here, imported, python, run } from './agree.ts'

const samples = fileURLToPath(new URL('../../data/samples/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tapehouse-agreement-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!python)('python3 agrees', () => {
  test('that the script itself can fail', async () => {
    const { stderr } = await run('python3', ['-B', '-m', 'unittest', 'discover', '-s', here, '-t', here])
    expect(stderr).toMatch(/Ran \d+ tests[\s\S]*OK/)
  })

  describe('on the samples', () => {
    const source = (format: string) => join(samples, format, `${format}.csv`)
    beforeAll(async () => {
      for (const format of ['daily-bars', 'minute-bars'])
        await imported(format, [source(format)], join(folder, format))
    })
    test.each([
      ['DAILY', 'daily-bars'],
      ['WEEKLY', 'daily-bars'],
      ['1min', 'minute-bars'],
      ['5min', 'minute-bars'],
    ])('with interval %s', async (interval, format) => {
      const query = { symbols: 'ACME,BOLT,NONE', range: 'full', interval, calculations: ALL }
      expect(await agree(join(folder, format), query, [source(format)])).toMatch(AGREE)
    })
  })
})

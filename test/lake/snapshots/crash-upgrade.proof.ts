import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { upgradeLake } from '../../../src/lake/maintain/upgrade.ts'
import { verify } from '../../../src/lake/maintain/verify.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { killing } from '../publish/killed.ts'
import { run } from '../store/compiled.ts'
import { silent } from '../store/days.ts'

const { folder, killEverywhere } = killing()

const SCHEMA = 'sql/schema/stock_days.sql'
const DERIVATION = 'sql/derive/stock_days.sql'

/** The texts of a program whose stock_days has one column less: the last one. */
function olderTexts() {
  const lines = readFileSync(SCHEMA, 'utf8').trimEnd().split('\n')
  const [last = '', column = ''] = /^ {2}(\w+) .*$/.exec(lines.at(-2) ?? '') ?? []
  const before = lines.slice(0, lines.indexOf(last)).join('\n')
  const derivation = readFileSync(DERIVATION, 'utf8')
  const [head = ''] = /^(?:--.*\n)+/.exec(derivation) ?? []
  return {
    [SCHEMA]: `${before.replace(/, *(--[^\n]*)$/, ' $1')}\n);\n`,
    [DERIVATION]: `${head}SELECT * EXCLUDE (${column}) FROM (\n${derivation.slice(head.length)}\n)`,
  }
}

/** Imports bars of two days with the older program; a name keeps the snapshot of the first. */
async function olderLake(lake: string): Promise<void> {
  for (const day of ['2024-01-02', '2024-01-03'])
    writeFileSync(
      join(folder, `${day}.csv`),
      `Date,Open,High,Low,Close,Volume,Name\n${day},1,2,1,2,1000,ONE\n`,
    )
  const script = `
    import { replaceResources } from './dist/engine/resources.js'
    const older = ${JSON.stringify(olderTexts())}
    const own = replaceResources({
      read: path => older[path] ?? own.read(path),
      list: folder => own.list(folder),
      build: () => 'older',
    })
    const { importFiles } = await import('./dist/lake/import/import.js')
    const { keepSnapshot } = await import('./dist/lake/snapshots/kept.js')
    const options = { format: 'daily-bars', lake: '${lake}', threads: 1, observe: () => {} }
    await importFiles({ ...options, inputs: ['2024-01-02.csv'] })
    await keepSnapshot('${lake}', 'report')
    await importFiles({ ...options, inputs: ['2024-01-03.csv'] })`
  expect(await run(folder, script)).toEqual({ code: 0, signal: null, stderr: '' })
}

test('killed at each step of an upgrade, a kept snapshot can be read as a whole or is refused, and can be upgraded again', async () => {
  const before = join(folder, 'kept')
  await olderLake(before)
  const script = (lake: string) => `
    import { openWriter } from './dist/engine/writer.js'
    import { upgradeLake } from './dist/lake/maintain/upgrade.js'
    const writer = await openWriter({ directories: ['${lake}'], threads: 1 })
    await upgradeLake(writer, '${lake}', () => {})
    writer.close()`
  const days = async (lake: string, number: number) =>
    loadSnapshot(lake, number).then(
      snapshot => snapshot.files('stock_days').map(({ dates }) => dates),
      thrown => Reflect.get(Object(thrown), 'code'),
    )
  const seen = new Set<unknown>()
  await killEverywhere(before, script, async (own, lake, step) => {
    const kept = await days(lake, 1)
    expect(['lake_older', [['2024-01-02', '2024-01-02']]], step).toContainEqual(kept)
    seen.add(typeof kept)
    await upgradeLake(own, lake, silent)
    expect(await days(lake, 1), step).toEqual([['2024-01-02', '2024-01-02']])
    expect((await days(lake, 3)).flat().at(-1), step).toBe('2024-01-03')
    expect(await verify(own, lake, silent), step).toMatchObject({ problems: [], stale: new Map() })
  })
  expect(seen).toEqual(new Set(['string', 'object']))
})

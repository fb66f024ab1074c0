import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importFiles } from '../../../src/lake/import/import.ts'
import type { ImportReport } from '../../../src/lake/import/report.ts'
import { readCurrent } from '../../../src/lake/store/current.ts'
import { operations } from '../../../src/operations/index.ts'
import { SPECIFIED } from '../../operations/specification/parameters.ts'

const REAL = '../shared/realdata'
const TABLES = 'test/sql/import/realdata'

/** What one command is to make of files, and what becomes of each. */
interface Step {
  readonly inputs: readonly string[]
  readonly options?: Readonly<Record<string, string>>
  readonly files: readonly Expected[]
}

interface Expected {
  readonly file: string
  readonly records: number
  readonly rows: number
  readonly rejected: number
  readonly faults?: Readonly<Record<string, number>>
  readonly notes?: Readonly<Record<string, number>>
  readonly warnings?: Readonly<Record<string, number>>
}

/** Where one format's rows complete another's, it comes after that: all others by name. */
const FIRST = ['tickers', 'minute-bars', 'option-chain', 'option-open-interest']

const place = (name: string) => {
  const found = FIRST.indexOf(name)
  return found === -1 ? FIRST.length : found
}

const tables = readdirSync(TABLES)
  .map(name => basename(name, '.json'))
  .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
  .map(
    name =>
      JSON.parse(readFileSync(join(TABLES, `${name}.json`), 'utf8')) as { format: string; steps: Step[] },
  )
const steps = tables.flatMap(({ format, steps }) => steps.map(step => ({ format, ...step })))

/** Operations for which none of the files has data; bars tell neither sweeps nor spreads. */
const WITHOUT = ['alerts', 'flow-alerts', 'multi-leg-legs', 'prediction-insiders', 'prediction-liquidity']

describe.skipIf(!existsSync(REAL))(`the real files in ${REAL}, all in one lake`, () => {
  let folder = ''
  let lake = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapehouse-realdata-'))
    lake = join(folder, 'lake')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = ({ format, inputs, options = {} }: (typeof steps)[number]): Promise<ImportReport> =>
    importFiles({
      format,
      inputs: inputs.map(input => join(REAL, input)),
      options,
      lake,
      observe: () => {},
    })

  test.each(steps.map(step => [step.format, step.inputs.join(', '), step] as const))(
    '%s takes %s, each record accounted for',
    async (_format, _inputs, step) => {
      const { accounts } = await run(step)
      const found = accounts.map(({ file, faults, notes, warnings, layout: _, ...counts }) => ({
        file: file.slice(REAL.length + 1),
        ...counts,
        faults: Object.fromEntries(faults.map(({ fault, rows }) => [fault, rows])),
        notes: Object.fromEntries(notes.map(({ fault, rows }) => [fault, rows])),
        warnings: Object.fromEntries(warnings.map(({ fault, rows }) => [fault, rows])),
      }))
      expect(found).toEqual(step.files.map(each => ({ faults: {}, notes: {}, warnings: {}, ...each })))
    },
  )

  test('a second import changes nothing', async () => {
    const before = await readCurrent(lake)
    for (const step of steps) expect(await run(step)).toMatchObject({ published: false })
    expect(await readCurrent(lake)).toBe(before)
  })

  test('every file with data is in the table', () => {
    const named = new Set(steps.flatMap(({ files }) => files.map(({ file }) => file)))
    const OTHERS = /(\.md|LICENSE\.txt|manifest\.json|header_file\.csv|webk_headers\.csv)$/
    const all = readdirSync(REAL, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(REAL.length + 1))
    expect(all.filter(file => !OTHERS.test(file) && !named.has(file))).toEqual([])
  })

  test('every operation with data answers, and smoke names the others', () => {
    const { stdout: output } = spawnSync(process.execPath, ['bin/smoke.js', '--lake', lake], {
      encoding: 'utf8',
    })
    const [, without = ''] = /^without data: (.*)$/m.exec(output) ?? []
    const ids = without.split(', ').map(each => each.replace(/ .*/, ''))
    expect(ids.filter(id => id in SPECIFIED)).toEqual(WITHOUT)
    const { length } = operations
    expect(output).toMatch(new RegExp(`^${length - ids.length} of ${length}$`, 'm'))
  })
})

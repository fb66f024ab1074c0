import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { importFiles } from '../../src/lake/import/import.ts'
import { datasets } from '../../src/lake/store/datasets.ts'
import { derivations } from '../../src/lake/store/derivation.ts'
import { operations } from '../../src/operations/index.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { read, root } from '../house/source.ts'

const page = read('docs/concepts.md')
/** The same on one line, for sentences. */
const words = page.replaceAll(/\s+/g, ' ')
const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('docs/concepts.md', () => {
  test('names every kind of file that a lake holds, and no other', async () => {
    const lake = join(folder, 'lake')
    const bars = join(folder, 'bars.csv')
    // The high of the last row is below its low: it is rejected.
    writeFileSync(
      bars,
      `Date,Open,High,Low,Close,Volume,Name
2024-03-01,10,11,9,10,100,MINE
2024-03-04,10,11,9,10,100,MINE
2024-03-05,10,8,9,10,100,MINE
`,
    )
    // Cash-flow statements are not partitioned.
    const imports = { 'daily-bars': bars, 'cash-flow': join(root, 'data/samples/cash-flow') }
    for (const [format, input] of Object.entries(imports))
      await importFiles({ format, inputs: [input], lake, observe: () => {} })
    const corrected = join(folder, 'corrected.csv')
    writeFileSync(corrected, 'Date,Open,High,Low,Close,Volume,Name\n2024-03-04,10,12,9,11,100,MINE\n')
    await importFiles({ format: 'daily-bars', inputs: [corrected], lake, observe: () => {} })

    const [, tree = ''] = /^data\/lake\/\n((?: {2}\S+\n)+)/m.exec(page) ?? []
    const patterns = tree
      .trim()
      .split(/\s+/)
      .map(line => ({
        line,
        pattern: new RegExp(`^${line.replaceAll(/<\w+>/g, '[^/]+').replaceAll('.', '\\.')}$`),
      }))
    const files = readdirSync(lake, { recursive: true, encoding: 'utf8' }).filter(name =>
      statSync(join(lake, name)).isFile(),
    )
    expect(files.filter(name => !patterns.some(({ pattern }) => pattern.test(name)))).toEqual([])
    expect(patterns.filter(({ pattern }) => !files.some(name => pattern.test(name)))).toEqual([])
    expect(patterns.length).toBeGreaterThan(3)
    expect(files.some(name => name.startsWith('cash_flow_statements/all/'))).toBe(true)
  })

  test('distinguishes imported and derived datasets', () => {
    const [, imported = ''] = /Imported datasets<br>([^"]+)"/.exec(page) ?? []
    const [, derived = ''] = /Derived datasets<br>([^"]+)"/.exec(page) ?? []
    const names = (list: string) => list.split(', ').filter(name => name !== '…')
    expect(names(imported).length).toBeGreaterThan(1)
    expect(names(derived).length).toBeGreaterThan(1)
    for (const name of names(imported))
      expect(datasets().has(name) && !derivations().has(name), name).toBe(true)
    for (const name of names(derived)) expect(derivations().has(name), name).toBe(true)
  })

  test('describes an operation and a derivation correctly', () => {
    const operation = operations.find(({ id }) => words.includes(`for example \`${id}\``))
    expect(operation?.path).toBeDefined()
    expect(words).toContain(`(\`${operation?.path}\`)`)
    const reads =
      derivations()
        .get('contract_days')
        ?.reads.map(({ dataset }) => dataset.name) ?? []
    const [sentence = ''] = /`contract_days` \(one row [^.]*\./.exec(words) ?? []
    const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(named.filter(name => name !== 'contract_days').toSorted()).toEqual(
      reads.filter(name => name !== 'contract_days').toSorted(),
    )
  })
})

import { parseArgs } from 'node:util'
import { describe, expect, test } from 'vitest'
import { importCommand } from '../../src/cli/commands/import.ts'
import { importable } from '../../src/lake/import/format/canonical.ts'
import { listFormats } from '../../src/lake/import/format/formats.ts'
import { importFiles } from '../../src/lake/import/import.ts'
import type { Fault } from '../../src/lake/import/rows/faults.ts'
import { folderForTest } from '../fixtures/lake.ts'
import { THREADS } from '../fixtures/threads.ts'
import { amount, sampleOf } from '../fixtures/tier.ts'
import { tapehouseHere as tapehouse } from './in-process.ts'

const formats = listFormats()

test('import --list has every format with its datasets and sources', async () => {
  const { code, stdout } = await tapehouse(['import', '--list'])
  expect(code).toBe(0)
  const output = stdout.toString()
  for (const { name, mappings, addresses } of formats) {
    expect(output).toMatch(new RegExp(`^${name}$`, 'm'))
    for (const { dataset } of mappings) expect(output).toContain(dataset.name)
    for (const address of addresses) expect(output.replaceAll(/\s+/g, ' ')).toContain(address)
  }
})

describe('the help of a format', () => {
  test('replaces that of the command', async () => {
    const { code, stdout } = await tapehouse(['import', 'sec-13f', '--help'])
    expect(code).toBe(0)
    expect(stdout.toString()).toBe(importCommand.helpFor?.(['sec-13f', '--help']))
    expect((await tapehouse(['import', '--help'])).stdout.toString()).toContain('--list')
  })

  test.each(['csv', 'ndjson', 'parquet'])('is not that of the dataset in import %s', kind => {
    const shared = formats.map(({ name }) => name).filter(name => importable().includes(name))
    expect(shared).toContain('posts')
    for (const name of shared) {
      expect(importCommand.helpFor?.([name, '--help'])).toContain(`import ${name}`)
      expect(importCommand.helpFor?.([kind, name, '--help'])).toBeUndefined()
    }
  })

  test.each(formats)(
    'of $name has what it expects and rejects, its datasets, and how to import the samples',
    format => {
      const help = importCommand.helpFor?.([format.name]) ?? ''
      for (const title of ['Input:', 'Rejected:', 'Datasets:', 'Examples:']) expect(help).toContain(title)
      for (const { name } of format.options) expect(help).toContain(`--${name} TEXT`)
      for (const { columns, members } of format.sources)
        for (const name of [...columns.map(column => column.name), ...members.map(({ path }) => path)])
          expect(help).toContain(name)
      expect(Math.max(...help.split('\n').map(line => line.length))).toBeLessThanOrEqual(130)
    },
  )
})

test('a flag of another format is rejected', async () => {
  const { code, stderr } = await tapehouse(['import', 'daily-bars', 'x.csv', '--cik', '1'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('unknown flag --cik')])
})

/** Formats whose samples are imported. */
const FORMATS = amount({ test: 8, prove: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY })

/** Rejects that the files of a source always have. */
const ALWAYS: Readonly<Record<string, readonly Fault[]>> = {
  'congress-senate': [{ fault: 'transactions: scanned paper filing: no readable transactions', rows: 2 }],
  // The lines of small print after the list.
  'etf-holdings': [{ fault: 'too few fields', rows: 2 }],
  posts: [{ fault: 'text: no text', rows: 4 }],
  // An ex-dividend date of 30 February.
  'stock-dividends': [{ fault: 'ex_date: invalid date', rows: 1 }],
  // A split on 30 February.
  'stock-splits': [{ fault: 'date: invalid date', rows: 1 }],
}

describe('the samples are imported without rejects, except those that the source always has', () => {
  test.each(sampleOf(formats, FORMATS))('$name', async ({ name, options, examples }) => {
    const lake = `${folderForTest()}/lake`
    const rejected: Fault[] = []
    for (const example of examples) {
      const { values, positionals } = parseArgs({
        args: example.split(' '),
        options: Object.fromEntries(options.map(option => [option.name, { type: 'string' as const }])),
        allowPositionals: true,
      })
      const optionValues = values as Record<string, string>
      const report = await importFiles({
        format: name,
        inputs: positionals,
        options: optionValues,
        lake,
        threads: THREADS,
        observe: () => {},
      })
      expect(report).toMatchObject({ published: true })
      rejected.push(...report.faults)
    }
    expect(rejected).toEqual(ALWAYS[name] ?? [])
  })
})

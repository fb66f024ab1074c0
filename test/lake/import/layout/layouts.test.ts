import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { detect } from '../../../../src/lake/import/detect/detect.ts'
import { listFormats } from '../../../../src/lake/import/format/formats.ts'
import { checkLayout } from '../../../../src/lake/import/layout/bind.ts'
import { layoutsOf } from '../../../../src/lake/import/layout/layouts.ts'
import { amount, sampleOf } from '../../../fixtures/tier.ts'
import { expectedIn, readSample } from './reading.ts'

/** Every layout, its sample and the rows that it must give. */
const all = listFormats().flatMap(format => layoutsOf(format.name).map(layout => ({ format, layout })))

/** A line of the table of layouts: the sample's files, the rows of each dataset, and what was checked. */
const checked: string[] = []

describe.each(sampleOf(all, amount({ test: 24, prove: all.length, long: all.length })))(
  '$format.name/$layout.name',
  ({ format, layout }) => {
    const folder = join('sql/import', format.name, layout.name)
    const expected = readdirSync(folder).filter(name => /^expected-\w+\.csv$/.test(name))

    test('reads its sample to the expected rows', async () => {
      const found = await readSample(format, layout, folder)
      expect(found.rejected, found.rejects.join('\n')).toBe(layout.sample?.rejected ?? 0)
      expect(expected).not.toEqual([])
      const counts: string[] = []
      for (const name of expected) {
        const { columns, lines } = expectedIn(join(folder, name))
        const rows = await found.rows(name.slice('expected-'.length, -'.csv'.length), columns)
        expect(rows, name).toEqual(lines)
        expect(rows.length).toBeGreaterThan(1)
        counts.push(
          `${rows.length} × ${columns.length} values of ${name.slice('expected-'.length, -'.csv'.length)}`,
        )
      }
      const rejected = layout.sample?.rejected ?? 0
      checked.push(
        [
          `${format.name}/${layout.name}`.padEnd(44),
          (layout.sample?.files ?? []).join(', ').slice(0, 56).padEnd(58),
          [...counts, ...(rejected > 0 ? [`${rejected} rejected`] : [])].join(', '),
        ].join(''),
      )
    })
  },
)

afterAll(() => {
  if (inject('tier') !== 'test')
    process.stdout.write(`\nLayouts: sample, expected rows and values\n${checked.join('\n')}\n\n`)
})

test('each layout has rules for columns of its format only', () => {
  for (const { format, layout } of all) expect(() => checkLayout(layout, format), layout.name).not.toThrow()
})

test('each sample is recognised as its layout and no other', { tags: 'slow' }, async () => {
  const samples = all.flatMap(({ format, layout }) =>
    (layout.sample?.files ?? []).map(file => ({
      path: join('sql/import', format.name, layout.name, file),
      name: `${format.name} ${layout.name}`,
    })),
  )
  const detected = await detect(samples.map(({ path }) => path))
  const found = detected.map(({ path, candidates }) => ({
    path,
    name: candidates.map(({ format, layout }) => `${format} ${layout?.name}`).join(),
  }))
  expect(found).toEqual(samples)
})

import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { date, files } from '../../../src/engine/bind.ts'
import type { Writer } from '../../../src/engine/writer.ts'
import { derive } from '../../../src/lake/derive/derive.ts'
import { withDraft } from '../../../src/lake/land/draft.ts'
import { land } from '../../../src/lake/land/land.ts'
import { datasets } from '../../../src/lake/store/datasets.ts'
import { derivations } from '../../../src/lake/store/derivation.ts'
import type { Snapshot } from '../../../src/lake/store/snapshot.ts'
import { columnList } from '../../../src/lake/store/sorted-files.ts'
import { operations } from '../../../src/operations/index.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { sharedWriter } from '../../fixtures/shared-writer.ts'
import { amount, countCases } from '../../fixtures/tier.ts'
import { basesOf, marketQuestions } from './bases.ts'
import { filterTexts } from './candidates.ts'
import { filtersOf } from './filter-laws.ts'
import { openLake, openMarket } from './lakes.ts'
import { broken, same } from './law.ts'
import { changed } from './question.ts'
import { SEED } from './seed.ts'
import { whole } from './whole.ts'

/** Makes a lake of another without the partitions and rows of days after `day`, whose derived datasets are derived anew. */
async function cutAt(writer: Writer, from: Snapshot, day: string, lake: string): Promise<void> {
  const imported = [...datasets().values()].filter(({ name }) => !derivations().has(name))
  await withDraft(
    writer,
    lake,
    () => {},
    async draft => {
      for (const dataset of imported) {
        const { units, column } = dataset.partition
        const paths = from.files(dataset.name).map(({ path }) => path)
        if (paths.length === 0) continue
        // A dataset in one partition has no later ones.
        const condition = units.length === 0 ? '' : `WHERE ${column} <= $day`
        await writer.run(
          `CREATE OR REPLACE TEMP TABLE incoming AS
           SELECT ${columnList(dataset)} FROM read_parquet($files, hive_partitioning = false) ${condition}`,
          { files: files(paths), ...(units.length === 0 ? {} : { day: date(day) }) },
        )
        await land(draft, dataset)
      }
      await derive(draft)
      await draft.publish({ generated: null, closed: day })
    },
  )
}

/** The generated market's sessions are 27, 30 and 31 December 2024. */
const CUTS = amount({ test: [], prove: ['2024-12-30'], long: ['2024-12-27', '2024-12-28', '2024-12-30'] })
const CASES = amount({ test: 0, prove: 12, long: 300 })

test.each(CUTS)(
  'questions about days up to %s have the same answers in a lake without later days',
  async day => {
    const market = await openMarket()
    const folder = join(folderForTest(), 'lake')
    await cutAt(await sharedWriter(), market.snapshot, day, folder)
    const cut = await openLake(`market until ${day}`, folder)
    const answered: string[] = []
    try {
      for (const operation of operations.filter(({ parameters }) => 'date' in parameters)) {
        const examples = await marketQuestions(operation, market)
        const days = ['2024-12-24', '2024-12-27', '2024-12-30'].filter(each => each <= day)
        const questions = examples.flatMap(question => days.map(each => changed(question, { date: each })))
        const bases = await basesOf(operation, market, questions)
        if (bases.length > 0) answered.push(operation.id)
        const property = fc.asyncProperty(fc.gen(), async g => {
          const base = g(() => fc.constantFrom(...bases))
          const filters = filtersOf(operation).filter(name => !(name in base.question))
          const name =
            filters.length > 0 && g(() => fc.boolean()) ? g(() => fc.constantFrom(...filters)) : null
          const filter = name === null ? {} : { [name]: g(() => filterTexts(base, name)) }
          const question = changed(base.question, filter)
          const [now, then] = [
            await whole(market, operation, question),
            await whole(cut, operation, question),
          ]
          if (!same(now.texts, then.texts))
            throw broken(`the same answer in a lake until ${day}`, base, filter, now.texts, then.texts)
        })
        countCases(CASES)
        await fc.assert(property, { numRuns: CASES, seed: SEED, endOnFailure: true })
      }
    } finally {
      await market.close()
      await cut.close()
    }
    expect(answered).toEqual(operations.filter(({ parameters }) => 'date' in parameters).map(({ id }) => id))
  },
)

import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Failure, systemCode } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import { addDays } from '../../market/day.ts'
import { manifestsOf } from '../publish/base.ts'
import { withStaging } from '../publish/staging.ts'
import { currentNumber } from '../store/current.ts'
import { type Dataset, datasets } from '../store/datasets.ts'
import { createFile, makeFolder, primitive, renameFile, syncFolder } from '../store/durable.ts'
import { namesIn } from '../store/entries-below.ts'
import { damaged, FORMAT, parseFormatted, readText } from '../store/format.ts'
import { lakeFolder, RETENTION } from '../store/layout.ts'
import { requireRecord } from '../store/record.ts'
import { assertImported, type Drop, drop } from './drop.ts'
import type { DropSelection } from './selection.ts'

const Rule = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** Days before the dataset's last date that stay. */
  days: Type.Integer({ minimum: 1 }),
})
const shape = Compile(Rule)

/** How long a lake holds the rows of a dataset. */
export interface RetentionRule {
  readonly dataset: string
  /** Calendar days before the dataset's last date. */
  readonly days: number
}

const ruleName = (dataset: string) => `${RETENTION}/${dataset}.json`

/** The retention rules of a lake, by dataset. Throws lake_damaged or lake_newer. */
export async function retentionRules(lake: string): Promise<RetentionRule[]> {
  const names = await namesIn(join(lake, RETENTION)).catch(thrown => {
    throw damaged(join(lake, RETENTION), `it cannot be read (${systemCode(thrown)})`, thrown)
  })
  const rules: RetentionRule[] = []
  for (const dataset of names.flatMap(name => /^([a-z0-9_]+)\.json$/.exec(name)?.[1] ?? []).toSorted()) {
    const path = join(lake, ruleName(dataset))
    const text = await readText(path)
    if (text === null) continue
    const value = parseFormatted(path, text)
    if (!shape.Check(value)) throw damaged(path, 'it is not a retention rule')
    rules.push({ dataset, days: value.days })
  }
  return rules
}

/** Sets the rule of a dataset; `days` null removes it. Rejects with usage for a derived dataset, or with lake_write. */
export async function setRetention(lake: string, dataset: Dataset, days: number | null): Promise<void> {
  const folder = lakeFolder(lake)
  await currentNumber(folder)
  assertImported(dataset)
  const target = join(folder, ruleName(dataset.name))
  await withStaging(folder, 'write', async staging => {
    if (days === null) {
      if ((await readText(target)) === null)
        throw new Failure('not_found', `${dataset.name} has no retention rule: "tapehouse retain" lists all`)
      await primitive('unlink', target, () => unlink(target))
    } else {
      const temporary = join(staging, 'retention.json')
      await createFile(temporary, `${JSON.stringify({ format: FORMAT, days })}\n`)
      await makeFolder(join(folder, RETENTION))
      await renameFile(temporary, target)
    }
    await syncFolder(join(folder, RETENTION))
  })
}

/** The first day that a rule keeps, by the last date of its dataset; null if the lake has no rows of it. */
async function firstKept(lake: string, dataset: Dataset, days: number): Promise<string | null> {
  const record = await requireRecord(lake, await currentNumber(lake))
  const last = (await manifestsOf(lake, record, dataset))
    .flatMap(({ files }) => files.map(({ dates }) => dates[1]))
    .toSorted()
    .at(-1)
  return last === undefined ? null : addDays(last, -days)
}

/**
 * Deletes the rows that the retention rules do not keep, as one snapshot; null if there is no rule. Rejects as `drop`
 * does.
 */
export async function applyRetention(writer: Writer, lake: string, observe: Observe): Promise<Drop | null> {
  const folder = lakeFolder(lake)
  await currentNumber(folder)
  const rules = await retentionRules(folder)
  if (rules.length === 0) return null
  const selections: DropSelection[] = []
  for (const { dataset: name, days } of rules) {
    const dataset = datasets().get(name)
    const before = dataset === undefined ? null : await firstKept(folder, dataset, days)
    if (dataset !== undefined && before !== null) selections.push({ dataset, tickers: null, before })
  }
  return drop(writer, folder, selections, 'retain', observe)
}

import { inspectIncoming } from '../land/incoming.ts'
import { manifestsOf } from '../publish/base.ts'
import { readCurrent } from '../store/current.ts'
import type { Dataset } from '../store/datasets.ts'
import { pathOf } from '../store/layout.ts'
import { requireRecord } from '../store/record.ts'
import { columnList, identifier } from '../store/sorted-files.ts'
import { countsOf } from './counts.ts'
import { figuresOf } from './figures.ts'
import { type Held, showHeld } from './held.ts'
import type { Plan } from './plan.ts'
import { mapInputs, readInputs } from './read-inputs.ts'
import { type DatasetOutcome, NOTHING, type Outcome } from './report.ts'
import { countRejects } from './rows/rejects.ts'
import { createIncoming, createTables, dropIncoming } from './rows/tables.ts'

/** Reads and maps the files of an import, and compares their rows with those of the lake. Writes nothing. */
export async function runDry(plan: Plan): Promise<Outcome> {
  const { writer, format, lake } = plan
  await createTables(writer, format, plan.folder)
  const read = await readInputs(plan)
  const snapshot = await readCurrent(lake)
  const record = snapshot === null ? null : await requireRecord(lake, snapshot)
  const held: Held = {
    writer,
    manifests: dataset => manifestsOf(lake, record, dataset),
    path: ({ name }) => pathOf(lake, name),
  }
  if (!format.isAlone) {
    for (const dataset of format.reads) await showHeld(held, dataset)
    await mapInputs(plan, read, await countRejects(writer))
  }
  const counts = await countsOf(plan, read)
  const datasets: DatasetOutcome[] = []
  for (const { dataset } of format.mappings) {
    const { rows } = await createIncoming(writer, dataset, read.isInOrder)
    if (rows > 0) datasets.push(await outcomeOf(held, dataset))
    await dropIncoming(writer)
  }
  const rows = datasets.reduce((sum, each) => sum + each.rows, 0)
  return { ...NOTHING, isDryRun: true, ...counts, datasets, rows, snapshot }
}

/** The figures of `incoming`, whose rows are compared with the stored rows of the same days. */
async function outcomeOf(held: Held, dataset: Dataset): Promise<DatasetOutcome> {
  const { writer } = held
  await inspectIncoming(writer, dataset)
  const figures = await figuresOf(writer, dataset)
  const stored = await showHeld(held, dataset, { from: figures.firstDay, to: figures.lastDay })
  const sameKey = dataset.key
    .map(name => `incoming.${identifier(name)} = stored.${identifier(name)}`)
    .join(' AND ')
  const columns = columnList(dataset)
  const [counts] = await writer.rows(
    `SELECT
       (SELECT count(*) FROM incoming SEMI JOIN ${stored} AS stored ON ${sameKey})::VARCHAR AS known,
       (SELECT count(*) FROM (SELECT ${columns} FROM incoming INTERSECT SELECT ${columns} FROM ${stored}))::VARCHAR AS same`,
  )
  const known = Number(counts?.known)
  return { ...figures, added: figures.rows - known, replaced: known - Number(counts?.same) }
}

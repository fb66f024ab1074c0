import { Failure } from '../../engine/failure.ts'
import { type Derived, derive, together } from '../derive/derive.ts'
import { withDraft } from '../land/draft.ts'
import { readCurrent } from '../store/current.ts'
import { requireRecord } from '../store/record.ts'
import { countsOf } from './counts.ts'
import { showHeld } from './held.ts'
import { landRows } from './land.ts'
import { identifiedBy } from './new-inputs.ts'
import type { Plan } from './plan.ts'
import { mapInputs, readInputs } from './read-inputs.ts'
import { importRecordOf } from './record.ts'
import { copyRejectedRows } from './rejected-rows.ts'
import type { Outcome } from './report.ts'
import { fileExtents } from './rows/extents.ts'
import { countRejects, MOSTLY_INVALID, removeTraces, writeRejects } from './rows/rejects.ts'
import { createTables, layoutsRead } from './rows/tables.ts'

/** Reads and maps the files of an import, lands their rows, and derives what depends on them, in one snapshot. */
export async function runImport(plan: Plan): Promise<Outcome> {
  const { writer, format, lake, exists, inputs, name, observe, close, isAgain } = plan
  await createTables(writer, format, plan.folder)
  const read = await readInputs(plan)
  const { records } = read
  const before = await readCurrent(lake)
  let broken = await countRejects(writer)
  let derived: Derived[] = []
  const makingOf = () => ({
    made_by: `import ${format.name}`,
    generated: null,
    // A day whose files are not all imported is not complete.
    closed: plan.refused.all.length === 0 ? close : null,
  })
  try {
    const done = await withDraft(
      writer,
      lake,
      observe,
      async draft => {
        if (!format.isAlone && draft.isAnew) {
          for (const dataset of format.reads) await showHeld(draft, dataset)
          broken = await mapInputs(plan, read, broken)
        }
        const counts = await countsOf(plan, read)
        // The rejects are written before the rows are published, because an imported file is not read again.
        const rejectsFile = counts.rejected === 0 ? null : await writeRejects(writer, lake, name, inputs)
        const rejectsFolder =
          counts.rejected === 0 ? null : await copyRejectedRows(read.reading, lake, name, inputs)
        const layouts = await layoutsRead(writer)
        const identified = inputs.map((input, file) => identifiedBy(input, layouts.get(file) ?? null))
        const hashes = identified.filter((_, file) => records[file] !== null).map(({ hash }) => hash)
        const { recorded, ...landed } = await landRows(draft, format, hashes, isAgain)
        const fed = format.mappings.map(({ dataset }) => dataset.name)
        if (landed.partitions.length > 0) derived = together(derived, await derive(draft, { fedBy: fed }))
        const record = importRecordOf(format.name, identified, records, await fileExtents(writer), counts)
        const imported = { record, rows: landed.rows, rejected: counts.rejected, datasets: recorded }
        const snapshot = (await draft.publish(makingOf(), { imported })) || null
        const published = (snapshot ?? 0) > draft.base.number
        const changes = published && snapshot ? (await requireRecord(lake, snapshot)).changes : {}
        const datasets = landed.datasets.map(figures => {
          const { added = 0, replaced = 0 } = changes?.[figures.dataset] ?? {}
          return { ...figures, added, replaced }
        })
        return {
          ...landed,
          datasets,
          ...counts,
          rejectsFile,
          rejectsFolder,
          snapshot,
          published,
          derived,
          isDryRun: false,
        }
      },
      { reads: format.reads },
    )
    if (done.snapshot === null) await removeTraces(lake, exists, name)
    return done
  } catch (thrown) {
    const isExplained = exists && thrown instanceof Failure && thrown.cause === MOSTLY_INVALID
    if ((await readCurrent(lake)) === before && !isExplained) await removeTraces(lake, exists, name)
    throw thrown
  }
}

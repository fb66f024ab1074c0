import { type Derived, derive, together } from '../derive/derive.ts'
import { withDraft } from '../land/draft.ts'
import { readCurrent } from '../store/current.ts'
import { importName } from './format/format.ts'
import { landRows, showHeld } from './land.ts'
import type { Plan } from './plan.ts'
import { assertMostlyRight, readInputs } from './read-inputs.ts'
import { importRecordOf } from './record.ts'
import { accountsOf, rowsOf } from './rows/accounts.ts'
import { mapAll } from './rows/mapping.ts'
import { commonFaults, countRejects, removeTraces, writeRejects } from './rows/rejects.ts'
import { clearMapped, createTables } from './rows/tables.ts'

/** Reads and maps the files of an import, lands their rows, and derives what depends on them, in one snapshot. */
export async function runImport(plan: Plan) {
  const { writer, format, lake, exists, inputs, observe, close } = plan
  const hashes = inputs.map(({ hash }) => hash)
  const name = importName(format, hashes)
  await createTables(writer, format, plan.folder)
  const { records, reading } = await readInputs(plan, name)
  const before = await readCurrent(lake)
  const imported = importRecordOf(format.name, inputs)
  const broken = await countRejects(writer)
  let derived: Derived[] = []
  const making = { made_by: `import ${format.name}`, generated: null, closed: close }
  let isMostlyWrong = false
  try {
    return await withDraft(
      writer,
      lake,
      observe,
      async draft => {
        if (!format.isAlone && draft.isAnew) {
          await clearMapped(writer, format, broken)
          for (const dataset of format.reads) await showHeld(draft, dataset)
          await mapAll(reading)
          isMostlyWrong = true
          for (const file of inputs.keys())
            await assertMostlyRight(
              plan,
              name,
              file,
              Math.max(records[file] ?? 0, await rowsOf(writer, file)),
            )
          isMostlyWrong = false
        }
        const accounts = await accountsOf(writer, inputs, records, format.canonical !== null)
        const rejected = await countRejects(writer)
        // The rejects are written before the rows are published, because an imported file is not read again.
        const rejectsFile = rejected === 0 ? null : await writeRejects(writer, lake, name, inputs)
        const taken = hashes.filter((_, file) => records[file] !== null)
        const landed = await landRows(draft, format, taken)
        const fed = format.mappings.map(({ dataset }) => dataset.name)
        if (landed.partitions.length > 0) derived = together(derived, await derive(draft, { fedBy: fed }))
        const snapshot = (await draft.publish(making, imported)) || null
        const published = (snapshot ?? 0) > draft.base.number
        const faults = await commonFaults(writer)
        const notes = await commonFaults(writer, { of: 'import_notes' })
        const warnings = await commonFaults(writer, { of: 'import_warnings' })
        return {
          ...landed,
          rejected,
          faults,
          notes,
          warnings,
          accounts,
          rejectsFile,
          snapshot,
          published,
          derived,
        }
      },
      { reads: format.reads },
    )
  } catch (thrown) {
    if ((await readCurrent(lake)) === before && !(exists && isMostlyWrong))
      await removeTraces(lake, exists, name)
    throw thrown
  }
}

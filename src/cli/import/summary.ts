import type { ImportReport } from '../../lake/import/report.ts'
import { FAULTS_SHOWN, type Fault } from '../../lake/import/rows/rejects.ts'
import { count, counted } from '../terminal/terminal.ts'

/** The outcome of an import for a terminal. */
export function summaryOf(report: ImportReport): string {
  const { files, skipped, rows, rejected, faults, notes, warnings, rejectsFile, snapshot, published } = report
  if (!published)
    return `Nothing new in ${counted(files, 'file')}: ${snapshot === null ? 'the lake is still empty' : `snapshot ${snapshot} is unchanged`}.`
  const known = skipped > 0 ? `, ${counted(skipped, 'file')} already imported` : ''
  const bad =
    rejected > 0 ? ` ${counted(rejected, 'row')} rejected (${reasons(faults)}): see ${rejectsFile}.` : ''
  const dropped = notes.length > 0 ? ` Left out: ${reasons(notes)}.` : ''
  const suspicious = warnings.length > 0 ? ` Warnings: ${reasons(warnings)}.` : ''
  return `Imported ${counted(rows, 'row')} from ${counted(files - skipped, 'file')}${known}: snapshot ${snapshot}.${bad}${dropped}${suspicious}`
}

const reasons = (faults: readonly Fault[]) =>
  `${faults.map(({ fault, rows }) => `${fault}: ${count(rows)}`).join('; ')}${faults.length === FAULTS_SHOWN ? '; …' : ''}`

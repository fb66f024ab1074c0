import type { Plan } from './plan.ts'
import type { FilesRead } from './read-inputs.ts'
import type { ImportReport } from './report.ts'
import { accountsOf } from './rows/accounts.ts'
import { FAULTS_SHOWN, type Fault, faultsOf } from './rows/faults.ts'
import { countRejects } from './rows/rejects.ts'
import { renamedTickers } from './rows/renamed.ts'

/** The counts of an import after all its files are mapped. */
export async function countsOf(
  { writer, format, inputs, refused }: Plan,
  { records, unused }: FilesRead,
): Promise<
  Pick<
    ImportReport,
    'renamed' | 'refused' | 'rejected' | 'faults' | 'notes' | 'warnings' | 'unused' | 'accounts'
  >
> {
  const { all, of } = await faultsOf(writer)
  const common = (faults: readonly Fault[]) => faults.slice(0, FAULTS_SHOWN)
  return {
    refused: refused.all,
    renamed: await renamedTickers(writer, format),
    rejected: await countRejects(writer),
    faults: common(all.faults),
    notes: common(all.notes),
    warnings: common(all.warnings),
    unused,
    accounts: await accountsOf(writer, inputs, records, format.canonical !== null, of),
  }
}

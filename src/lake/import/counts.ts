import type { Plan } from './plan.ts'
import type { FilesRead } from './read-inputs.ts'
import type { ImportReport } from './report.ts'
import { accountsOf } from './rows/accounts.ts'
import { commonFaults, countRejects } from './rows/rejects.ts'
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
  return {
    refused: refused.all,
    renamed: await renamedTickers(writer, format),
    rejected: await countRejects(writer),
    faults: await commonFaults(writer),
    notes: await commonFaults(writer, { of: 'import_notes' }),
    warnings: await commonFaults(writer, { of: 'import_warnings' }),
    unused,
    accounts: await accountsOf(writer, inputs, records, format.canonical !== null),
  }
}

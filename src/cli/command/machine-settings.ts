import type { Setting } from './setting.ts'

/** What a process may use of its machine, besides memory and processors. */
export const MACHINE_SETTINGS = {
  tempDir: {
    kind: 'text',
    default: null,
    help: 'Folder for temporary files: what sorts and joins spill, long Parquet answers, and what imports convert. Each process has its own folder in it, which a later start removes if the process was killed.',
    defaultMeaning: `the system's temporary folder: $TMPDIR, or /tmp`,
  },
  requireReadOnly: {
    kind: 'flag',
    default: false,
    help: 'Do not start if this user can write in the folder of the lake.',
  },
} as const satisfies Record<string, Setting>

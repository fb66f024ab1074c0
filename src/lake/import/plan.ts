import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import type { ImportFormat } from './format/format.ts'
import type { Canceling } from './input/cancel.ts'
import type { Input } from './input/inputs.ts'
import type { Layout } from './layout/layout.ts'
import type { Refusals } from './refusals.ts'

/** One import: its files, how they are read, and the lake. */
export interface Plan {
  readonly writer: Writer
  readonly format: ImportFormat
  readonly layouts: readonly Layout[]
  readonly isLayoutGiven: boolean
  readonly options: Readonly<Record<string, string>>
  readonly sheet: string | undefined
  readonly isStrict: boolean
  /** The bad files so far. */
  readonly refused: Refusals
  /** Equal imports have equal names. */
  readonly name: string
  readonly lake: string
  /** Whether the lake existed before the import. */
  readonly exists: boolean
  readonly inputs: readonly Input[]
  readonly folder: string
  readonly canceling: Canceling
  readonly observe: Observe
  readonly close: string | null
  /** Whether nothing is written. */
  readonly isDryRun: boolean
}

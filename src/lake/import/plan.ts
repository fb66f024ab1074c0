import type { Observe } from '../../engine/observation.ts'
import type { Writer } from '../../engine/writer.ts'
import type { ImportFormat } from './format/format.ts'
import type { Canceling } from './input/cancel.ts'
import type { Input } from './input/inputs.ts'
import type { Layout } from './layout/layout.ts'

/** One import: its files, how they are read, and the lake. */
export interface Plan {
  readonly writer: Writer
  readonly format: ImportFormat
  readonly layouts: readonly Layout[]
  readonly isLayoutGiven: boolean
  readonly options: Readonly<Record<string, string>>
  readonly isStrict: boolean
  readonly lake: string
  /** Whether the lake existed before the import. */
  readonly exists: boolean
  readonly inputs: readonly Input[]
  readonly folder: string
  readonly canceling: Canceling
  readonly observe: Observe
  readonly close: string | null
  /** Whether the lake has some of the files already. */
  readonly isAgain: boolean
}

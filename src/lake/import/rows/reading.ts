import type { Writer } from '../../../engine/writer.ts'
import type { ImportFormat } from '../format/format.ts'
import type { Canceling } from '../input/cancel.ts'
import type { Input } from '../input/inputs.ts'
import type { Layout } from '../layout/layout.ts'

/** The context of an import, shared by all its files. */
export interface Reading {
  readonly writer: Writer
  readonly format: ImportFormat
  /** The layouts that a file may have, besides the columns of the format's sources. */
  readonly layouts: readonly Layout[]
  /** Whether a file must have one of the layouts, because the user named it. */
  readonly isLayoutGiven: boolean
  /** The user's values of the flags of the format and the layouts. */
  readonly options: Readonly<Record<string, string>>
  /** The sheet of workbooks that is read. Default: the first that fits. */
  readonly sheet?: string | undefined
  /** Whether a row with a warning is rejected. */
  readonly isStrict: boolean
  readonly canceling: Canceling
  /** A temporary folder outside the lake, which the writer may read and write. */
  readonly folder: string
  /** Day of the import, UTC. */
  readonly today: string
  advance(bytes: number): void
  /** Reports that so many of the steps are done in which the rows of all files are mapped. */
  mapped(done: number, total: number): void
  /** Reports columns that are not imported. */
  unused(input: Input, columns: readonly string[]): void
  /** Reports something that the user should know. */
  notice(message: string): void
}

/** What the mapping of raw rows needs. */
export type MappingContext = Pick<Reading, 'writer' | 'format' | 'options' | 'isStrict' | 'today' | 'mapped'>

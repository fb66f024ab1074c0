import type { Writer } from '../../../engine/writer.ts'
import type { ImportFormat } from '../format/format.ts'
import type { Canceling } from '../input/cancel.ts'
import type { Input } from '../input/inputs.ts'

/** What every file of an import shares. */
export interface Reading {
  readonly writer: Writer
  readonly format: ImportFormat
  /** What the person said with the format's options. */
  readonly said: Readonly<Record<string, string>>
  readonly canceling: Canceling
  /** A folder of the import's own, outside of the lake; the writer may read and write it. */
  readonly folder: string
  /** Day of the import, UTC. */
  readonly today: string
  advance(bytes: number): void
  /**
   * Given for the only file of an import: its rows may be set aside in the order in which the lake keeps them, instead of
   * that of the file, where no two have the same key. It is told when they were.
   */
  readonly inOrder?: () => void
  /** Is told the names of columns that the import makes no use of. */
  unused(input: Input, columns: readonly string[]): void
  /** Is told why a file of a folder is left out. */
  left(why: string): void
}

import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { damaged, parseFormatted, readText } from '../store/format.ts'
import { isInside } from '../store/layout.ts'
import { isPartition } from '../store/partition.ts'
import type { Entry } from '../store/record.ts'

const Partitions = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))

const ReplacedFile = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  /** The name of each manifest that the import replaced, by dataset and partition. */
  before: Partitions,
  /** The name of each manifest that it made of an imported dataset. */
  after: Partitions,
})
const shape = Compile(ReplacedFile)

/** The partitions that an import changed, as they were before and after it: the content of `undo/<hash>.json`. */
export type Replaced = Pick<Static<typeof ReplacedFile>, 'before' | 'after'>

/** Reads what an import replaced; null if it was deleted. Throws lake_damaged or lake_newer. */
export async function readReplaced(lake: string, name: string): Promise<Replaced | null> {
  const path = join(lake, name)
  const text = await readText(path)
  if (text === null) return null
  const value = parseFormatted(path, text)
  if (!shape.Check(value)) throw damaged(path, 'it does not list the partitions of an import')
  const stray = [...entriesIn(value.before), ...entriesIn(value.after)].find(
    each => !isPartition(each.partition) || !isInside(each.manifest),
  )
  if (stray) throw damaged(path, `it names ${JSON.stringify(stray.manifest)} for ${stray.partition}`)
  return value
}

/** The partitions of one side, by dataset. */
export const entriesIn = (partitions: Replaced['before']): Entry[] =>
  Object.entries(partitions).flatMap(([dataset, own]) =>
    Object.entries(own).map(([partition, manifest]) => ({ dataset, partition, manifest })),
  )

import { type Static, Type } from 'typebox'
import type { Engine } from '../../engine/engine.ts'
import { type CountKeys, DatasetContents, datasetContents } from '../../lake/contents/dataset-contents.ts'
import { datasets } from '../../lake/store/datasets.ts'
import type { LoadedSnapshot } from '../../lake/store/snapshot.ts'
import { operations } from '../index.ts'
import { Answerable, answerable } from './answerable.ts'

const Count = Type.Integer({ minimum: 0 })

export const LakeContents = Type.Object(
  {
    snapshot: Type.Integer({ minimum: 1, description: 'Number of the snapshot.' }),
    created_at: Type.String({ format: 'date-time', description: 'When it was published, UTC.' }),
    synthetic: Type.Boolean({ description: 'Whether the lake holds only generated data.' }),
    rows: Count,
    bytes: Count,
    files: Count,
    datasets: Type.Array(DatasetContents, { description: 'The datasets with rows, by name.' }),
    operations: Type.Array(Answerable, { description: 'All operations, by id.' }),
  },
  { title: 'LakeContents' },
)

/** What one snapshot of a lake holds, and what it can answer. */
export type LakeContents = Static<typeof LakeContents>

/** Describes a snapshot. Its cost is bounded: it reads one column of the newest files of each dataset. */
export async function lakeContents(snapshot: LoadedSnapshot, countKeys: CountKeys): Promise<LakeContents> {
  const described: DatasetContents[] = []
  for (const name of snapshot.datasets.filter(each => datasets().has(each))) {
    const contents = await datasetContents(snapshot, name, countKeys)
    if (contents !== null) described.push(contents)
  }
  const held = new Set(snapshot.datasets)
  const total = (of: 'rows' | 'bytes' | 'files') => described.reduce((sum, each) => sum + each[of], 0)
  return {
    snapshot: snapshot.number,
    created_at: snapshot.createdAt,
    synthetic: snapshot.synthetic,
    rows: total('rows'),
    bytes: total('bytes'),
    files: total('files'),
    datasets: described,
    operations: operations
      .map(operation => answerable(operation, held))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  }
}

/** Counts keys with an engine, until the signal aborts. */
export const countKeysWith =
  (engine: Engine, signal: AbortSignal): CountKeys =>
  async ({ template, bindings }) => {
    const table = await engine.table({ operation: 'lake', template, bindings }, signal)
    return Number(table.getChildAt(0)?.get(0))
  }

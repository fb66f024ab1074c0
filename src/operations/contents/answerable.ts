import { type Static, Type } from 'typebox'
import { formatsFor, isFilled } from '../../lake/contents/fill.ts'
import type { Operation } from '../answering/operation.ts'
import type { OperationFields } from '../fields/notation.ts'

const Fill = Type.Object(
  {
    dataset: Type.String({ description: 'A dataset that the operation reads and the lake lacks.' }),
    import: Type.Array(Type.String(), {
      description:
        'Formats of `tapehouse import` that fill it, directly or through a derivation. One of them is enough. Empty if the lake has what it is derived from: then `tapehouse derive` fills it.',
    }),
  },
  { title: 'MissingDataset' },
)

export const Answerable = Type.Object(
  {
    id: Type.String({ description: 'Operation id.' }),
    answers: Type.Enum(['yes', 'partly', 'no'], {
      type: 'string',
      description:
        '`yes`: the lake has all datasets that the operation reads. A derived dataset counts once it has been derived, even if no row resulted. `partly`: fields from missing datasets are null. `no`: the dataset of its records is missing.',
    }),
    missing: Type.Array(Fill),
  },
  { title: 'Answerable' },
)

/** Whether a lake has what an operation reads. */
export type Answerable = Static<typeof Answerable>

/** Whether a lake with the datasets `held`, of which derived ones can be without rows, can answer an operation. */
export function answerable({ id, datasets, fields }: Operation, held: ReadonlySet<string>): Answerable {
  const missing = datasets.filter(name => !held.has(name))
  return {
    id,
    answers:
      missing.length === 0 ? 'yes' : recordsDatasets(fields).some(name => held.has(name)) ? 'partly' : 'no',
    missing: missing.map(name => ({ dataset: name, import: isFilled(name, held) ? [] : formatsFor(name) })),
  }
}

/**
 * The dataset that most fields that are never null come from: all others are joined to its rows. Or the datasets of which a
 * request reads one.
 */
function recordsDatasets({ parts, dating }: OperationFields): readonly string[] {
  if (dating.length > 1) return dating
  const counts = new Map<string, number>()
  for (const { from, nullWhen } of parts.flatMap(({ fields }) => fields)) {
    const name = typeof from === 'string' ? undefined : from[0]?.split('.')[0]
    if (name !== undefined && nullWhen === null) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const [[name] = ['']] = [...counts].toSorted(([, one], [, other]) => other - one)
  return [name]
}

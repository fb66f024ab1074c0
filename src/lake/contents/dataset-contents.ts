import { type Static, Type } from 'typebox'
import { dataset } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'
import type { LoadedSnapshot } from '../store/snapshot.ts'
import { type KeyCount, keyCount } from './keys.ts'
import { missingSessions } from './sessions.ts'

const Day = Type.String({ format: 'date' })
const Count = Type.Integer({ minimum: 0 })

/** The number of missing sessions that are named. */
const NAMED = 5

export const DatasetContents = Type.Object(
  {
    name: Type.String({ description: 'Name of the dataset.' }),
    origin: Type.Enum(['imported', 'derived', 'generated'], {
      type: 'string',
      description:
        'Where its rows come from: imported files, a derivation from other datasets, or the generator of synthetic data.',
    }),
    rows: Count,
    bytes: Type.Integer({ minimum: 0, description: 'Size of its files.' }),
    files: Count,
    first_day: Day,
    last_day: Day,
    keys: Type.Object(
      {
        column: Type.String({ description: 'The main key column, such as `ticker`.' }),
        count: Type.Integer({ minimum: 0, description: 'Number of distinct values.' }),
        from: Type.String({
          format: 'date',
          description:
            'Values from this day on are counted. It is later than `first_day` if the dataset has more than 20 million rows.',
        }),
      },
      { title: 'KeyCount', description: 'Number of tickers, or of values of another main key.' },
    ),
    missing_sessions: Type.Union(
      [
        Type.Object(
          {
            count: Count,
            first: Type.Array(Day, { description: `The first ${NAMED} of them.` }),
          },
          { title: 'MissingSessions' },
        ),
        Type.Null(),
      ],
      {
        description:
          'Sessions of the exchange between `first_day` and `last_day` without any row. Null if the dataset need not have rows on each session, or if the lake does not record its days.',
      },
    ),
  },
  { title: 'DatasetContents' },
)

/** What a snapshot has of one dataset. */
export type DatasetContents = Static<typeof DatasetContents>

/** Runs a query for a number of keys. */
export type CountKeys = (count: KeyCount) => Promise<number>

/** Describes a dataset of a snapshot; null if it has no rows. Reads one column of its newest files. */
export async function datasetContents(
  snapshot: LoadedSnapshot,
  name: string,
  countKeys: CountKeys,
): Promise<DatasetContents | null> {
  const files = snapshot.files(name)
  const counting = keyCount(dataset(name), files)
  if (counting === null) return null
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const missing = missingSessions(snapshot, name)
  return {
    name,
    origin: derivations().has(name) ? 'derived' : snapshot.synthetic ? 'generated' : 'imported',
    rows: sum(files.map(({ rows }) => rows)),
    bytes: sum(files.map(({ bytes }) => bytes)),
    files: files.length,
    first_day: files.map(({ dates }) => dates[0]).reduce((one, other) => (one < other ? one : other)),
    last_day: files.map(({ dates }) => dates[1]).reduce((one, other) => (one > other ? one : other)),
    keys: { column: counting.column, count: await countKeys(counting), from: counting.from },
    missing_sessions: missing && { count: missing.length, first: missing.slice(0, NAMED) },
  }
}

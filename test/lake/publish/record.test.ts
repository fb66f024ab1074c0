import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PublishOptions } from '../../../src/lake/publish/publish.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { put, recordOf } from './notes.ts'

describe('what a record keeps of the snapshot before', () => {
  const CASES: readonly (readonly [string, readonly [PublishOptions, PublishOptions], object])[] = [
    ['the generator', [{ generated: 'market 1' }, {}], { generated: 'market 1' }],
    ['not the generator of other data', [{ generated: 'market 1' }, { generated: null }], {}],
    ['the history of imports', [{ history: 'imports/a.json' }, {}], { history: 'imports/a.json' }],
    [
      'a newer one in place of it',
      [{ history: 'imports/a.json' }, { history: 'imports/b.json' }],
      { history: 'imports/b.json' },
    ],
    ['what can be undone', [{ undoable: ['undo/a.json'] }, {}], { undoable: ['undo/a.json'] }],
    ['not what can no longer be undone', [{ undoable: ['undo/a.json'] }, { undoable: [] }], {}],
    ['not how it was made', [{ made_by: 'import csv' }, {}], {}],
    ['but how this one was', [{}, { made_by: 'import csv' }], { made_by: 'import csv' }],
    ['closed days', [{ closed: '2024-01-05' }, {}], { closed: '2024-01-05' }],
    [
      'closed days, if fewer are closed now',
      [{ closed: '2024-01-05' }, { closed: '2024-01-03' }],
      { closed: '2024-01-05' },
    ],
    [
      'not fewer closed days than now',
      [{ closed: '2024-01-05' }, { closed: '2024-01-08' }],
      { closed: '2024-01-08' },
    ],
    ['no closed days, if all are reopened', [{ closed: '2024-01-05' }, { reopened: null }], {}],
    [
      'closed days up to those that are reopened',
      [{ closed: '2024-01-05' }, { reopened: '2024-01-03' }],
      { closed: '2024-01-03' },
    ],
    [
      'days that are closed while others are reopened',
      [{ closed: '2024-01-08' }, { reopened: '2024-01-03', closed: '2024-01-04' }],
      { closed: '2024-01-04' },
    ],
  ]

  test.each(CASES)('%s', async (_, [first, second], expected) => {
    const lake = join(folderForTest(), 'lake')
    await put(lake, { options: first })
    await put(lake, { options: second })
    const { format, number, parent, created_at, writer, ...rest } = recordOf(lake, 2)
    expect(rest).toEqual({ ...expected, datasets: {} })
  })
})

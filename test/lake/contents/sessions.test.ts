import { expect, test } from 'vitest'
import { missingSessions, SESSION_DATASETS } from '../../../src/lake/contents/sessions.ts'
import { datasets } from '../../../src/lake/store/datasets.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { flatDay, folderForTest, makeLake } from '../../fixtures/lake.ts'

test('the datasets of each session are those whose schema says that their date is a trading date', () => {
  const dated = [...datasets().values()].filter(({ columns, partition }) =>
    columns.some(
      ({ name, comment }) => name === partition.column && comment.startsWith('trading date, New York'),
    ),
  )
  expect(dated.map(({ name }) => name).toSorted()).toEqual(SESSION_DATASETS)
})

test('missing sessions are those between the first and the last day, without weekends and holidays', async () => {
  const days = ['2024-01-02', '2024-01-05', '2024-01-16'].map(date => flatDay('ONE', date, '100'))
  const snapshot = await loadSnapshot(await makeLake(folderForTest(), { days }))
  // 6, 7, 13 and 14 January are weekends, 15 January is Martin Luther King Day.
  const missing = ['03', '04', '08', '09', '10', '11', '12'].map(day => `2024-01-${day}`)
  expect(missingSessions(snapshot, 'daily_bars')).toEqual(missing)
  expect(missingSessions(snapshot, 'stock_days')).toEqual(missing)
  expect(missingSessions(snapshot, 'stock_bars')).toEqual([])
  expect(missingSessions(snapshot, 'posts')).toBeNull()
})

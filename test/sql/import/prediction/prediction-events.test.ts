import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'

const market = (slug: string, more: object = {}) => ({
  slug,
  conditionId: `0x${slug}`,
  question: `Question ${slug}?`,
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.5", "0.5"]',
  clobTokenIds: JSON.stringify([`${slug}1`, `${slug}2`]),
  createdAt: '2024-01-01T08:00:00Z',
  ...more,
})

test('Markets of events have the category of their event, unless they have their own', async () => {
  const at = importingFormat('prediction-markets')
  const events = [
    {
      title: 'Who wins?',
      tags: [{ label: 'Featured' }, { label: 'Politics' }],
      markets: [market('ash'), market('birch', { category: 'Sports' })],
    },
    { title: 'Nothing listed', tags: [], markets: [] },
    { title: 'Rain?', markets: [market('cedar')] },
  ]
  expect(await at.import([at.file('events.json', JSON.stringify(events))])).toMatchObject({ rejected: 0 })
  expect(
    await at.rows('SELECT asset_id, category, outcome FROM bars ORDER BY asset_id', 'prediction_markets'),
  ).toEqual([
    'ash1 Politics Yes',
    'ash2 Politics No',
    'birch1 Sports Yes',
    'birch2 Sports No',
    'cedar1 Other Yes',
    'cedar2 Other No',
  ])
})

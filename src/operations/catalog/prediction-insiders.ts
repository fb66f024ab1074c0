import { PREDICTION_CATEGORIES, PREDICTION_TAGS } from '../../market/prediction-tags.ts'
import { oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'

const head = JSON.stringify({ categories: PREDICTION_CATEGORIES }).slice(0, -1)
const tagInfo = JSON.stringify(PREDICTION_TAGS.map(({ score, tag }) => ({ score, tag })))

export const predictionInsiders = operation({
  id: 'prediction-insiders',
  path: '/api/predictions/insiders',
  summary: 'Positions on prediction markets that look informed',
  description:
    'The positions of the last day that the lake holds, the highest `tags_score` first. The score is the sum of the weights of its `tags`, which `tag_info` tells. Prices are in dollars a token, `pnl_percent` in percent of what was invested; `invested_zscore` compares the investment with those of its market. `resolves` is null where no end of the market is known, `image` where it has none.',
  parameters: {},
  plan: (_, snapshot) => ({
    ...oneDay(snapshot, 'prediction_positions', null),
    envelope: [`{"data":${head},"data":[`, `],"tag_info":${tagInfo}}}`],
  }),
})

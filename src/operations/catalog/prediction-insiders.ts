import { PREDICTION_CATEGORIES, PREDICTION_TAGS } from '../../market/prediction-tags.ts'
import { oneDay } from '../answering/one-day.ts'
import { operation } from '../answering/operation.ts'
import { among, from, type OperationFields, without } from '../fields/notation.ts'

const head = JSON.stringify({ categories: PREDICTION_CATEGORIES }).slice(0, -1)
const tagInfo = JSON.stringify(PREDICTION_TAGS.map(({ score, tag }) => ({ score, tag })))

const position = from('prediction_positions')
const tags = PREDICTION_TAGS.map(({ tag }) => tag)

const fields: OperationFields = {
  dating: ['prediction_positions'],
  parts: [
    {
      at: 'data',
      record: 'PredictionInsiders',
      fields: [
        ...among(
          PREDICTION_CATEGORIES,
          without('constant', 'categories', 'array of string', 'always all nine categories'),
        ),
        without('nested', 'tag_info', 'array of object', 'see below; always all five tags'),
      ],
    },
    {
      at: 'data.data[]',
      record: 'PredictionPosition',
      fields: [
        ...position.columns('string', 'asset_id question outcome'),
        ...among(PREDICTION_CATEGORIES, ...position.columns('string', 'category')),
        ...position.columns(
          'string(dec)',
          'avg_price current_price pnl_percent total_invested_usd invested_zscore',
        ),
        ...position.columns('integer', 'n_positions days_since_first_trade days_since_first_trade_overall'),
        ...position.columns('ts(ms)', 'first_trade_at created_at'),
        ...position.columns('ts(ms)', 'resolves', 'the end of the market is unknown'),
        ...position.columns('string(URL)', 'image', 'the market has none'),
        ...among(tags, ...position.columns('array of string', 'tags')),
        ...position.columns('string(dec)', 'tags_score'),
        ...position.columns('string', 'user_address'),
      ],
    },
    {
      at: 'data.tag_info[]',
      record: 'PredictionTag',
      fields: [
        without('constant', 'score', 'string(dec)', 'the weight of the tag'),
        ...among(tags, without('constant', 'tag', 'string', 'the name of the tag')),
      ],
    },
  ],
  parameters: [],
}

export const predictionInsiders = operation({
  id: 'prediction-insiders',
  fields,
  examples: [],
  parameters: {},
  plan: (_, snapshot) => ({
    ...oneDay(snapshot, 'prediction_positions', snapshot.lastDate('prediction_positions')),
    envelope: [`{"data":${head},"data":[`, `],"tag_info":${tagInfo}}}`],
  }),
})

import { ofFew, text, texts } from '../../engine/bind.ts'
import {
  type EconomicSeries,
  indicators,
  MATURITIES,
  maturities,
  SERIES,
  sourcesOf,
} from '../../market/economy-series.ts'
import { search } from '../answering/example.ts'
import { operation } from '../answering/operation.ts'
import { among, from, joined, type OperationFields, without } from '../fields/notation.ts'
import { absent, choice, inPath } from '../parameters/kinds.ts'

const point = from('economic_points')
const series = indicators.map(indicator => SERIES[indicator])

const fields: OperationFields = {
  dating: ['economic_points'],
  parts: [
    {
      at: 'data',
      record: 'EconomySeries',
      fields: [
        without(
          'constant',
          'name',
          'string',
          'the name of the indicator, for a treasury yield with its maturity',
        ),
        ...among(
          [...new Set(series.map(({ unit }) => unit))],
          without('constant', 'unit', 'string', 'the unit of the indicator'),
        ),
        ...among(
          [...new Set(series.flatMap(({ intervals }) => intervals))],
          without('request', 'interval', 'string', "the requested interval; default: the indicator's first"),
        ),
      ],
    },
    {
      at: 'data.data[]',
      record: 'SeriesPoint',
      fields: [
        point.made('date', 'date', 'date', 'first day of the period'),
        joined(
          'value',
          'number',
          'economic_points.value economic_points.interval',
          'the stored value; for a coarser interval the mean of rates, indices and annual rates, the sum of other flows',
          'the source has no value',
        ),
      ],
    },
  ],
  parameters: [
    ...point.columns('string', 'indicator maturity'),
    point.made('interval', 'string', 'interval', 'points of this interval, else of the finest stored one'),
  ],
}

export const economy = operation({
  id: 'economy',
  details: indicators
    .map(indicator => {
      const { name, unit, intervals } = SERIES[indicator]
      const whole = indicator === 'treasury-yield' ? `10-Year (and so on) ${name}` : name
      return `- \`${indicator}\`: ${whole}, ${unit}; ${intervals.join(', ')}`
    })
    .join('\n'),
  fields,
  examples: [search('economic_points', 'DISTINCT indicator', 'value IS NOT NULL ORDER BY indicator LIMIT 5')],
  parameters: {
    indicator: inPath(choice({ description: 'The series.', example: 'gdp' }, indicators)),
    interval: choice(
      { description: "Interval of the points. Default: the indicator's first.", example: 'monthly' },
      ['daily', 'weekly', 'monthly', 'quarterly', 'annual', 'semiannual'],
    ),
    maturity: absent(
      choice({ description: 'Maturity of the treasury yield.', example: '10year' }, maturities),
      '10year',
    ),
  },
  check: ({ indicator, interval }) => {
    if (!indicator || !interval) return []
    const { intervals }: EconomicSeries = SERIES[indicator]
    if (intervals.includes(interval)) return []
    const problem = `is ${interval}, which ${indicator} does not have: use ${intervals.join(', ')}`
    return [{ in: 'query', name: 'interval', problem, example: `interval=${intervals[0]}` }]
  },
  fitting: ({ indicator }) => ({ interval: indicator && SERIES[indicator].intervals[0] }),
  plan: ({ indicator, interval: requested, maturity }) => {
    const { name, unit, intervals, total }: EconomicSeries = SERIES[indicator]
    const interval = requested ?? intervals[0]
    const { sources, lengths } = sourcesOf(interval)
    const isYield = indicator === 'treasury-yield'
    const series = indicator === 'inflation' ? ['inflation', 'cpi'] : [indicator]
    const head = JSON.stringify({
      name: isYield ? `${MATURITIES[maturity]} ${name}` : name,
      unit,
      interval,
      data: [],
    })
    return {
      reads: { economic_points: { keys: { indicator: series } } },
      bindings: {
        indicators: ofFew(texts(series)),
        maturity: text(isYield ? maturity : ''),
        interval: text(interval),
        sources: ofFew(texts(sources)),
        lengths: ofFew(texts(lengths)),
        total: text(total),
      },
      envelope: [`{"data":${head.slice(0, -2)}`, ']}}'],
    }
  },
})

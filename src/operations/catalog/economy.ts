import { text, texts } from '../../engine/bind.ts'
import {
  type EconomicSeries,
  indicators,
  MATURITIES,
  maturities,
  SERIES,
  sourcesOf,
} from '../../market/economy-series.ts'
import { operation } from '../answering/operation.ts'
import { absent, choice, inPath } from '../parameters/kinds.ts'

export const economy = operation({
  id: 'economy',
  path: '/api/economy/{indicator}',
  summary: 'An economic series, newest point first',
  description: [
    ...indicators.map(indicator => {
      const { name, unit, intervals } = SERIES[indicator]
      const whole = indicator === 'treasury-yield' ? `10-Year (and so on) ${name}` : name
      return `- \`${indicator}\`: ${whole}, ${unit}; ${intervals.join(', ')}`
    }),
    '',
    'The first interval is the default; another than those named is refused. `maturity` matters to `treasury-yield` alone. `value` is null where the source is blank.',
    '',
    'An interval that the lake stores is given as it is stored. Another is made of the finest that it stores: rates, indices, levels and quarters at annual rates by their mean, other flows by their sum, rounded to 10 places, half to even; blank points do not count. Such a period is dated by its first day, weeks by their Monday, and is left out until the stored points reach from its beginning to its end, a weekend and a holiday aside. `inflation` is the change of the annual mean of the price index in percent where no series of its own is stored.',
  ].join('\n'),
  parameters: {
    indicator: inPath(choice({ description: 'Which series.', example: 'gdp' }, indicators)),
    interval: choice(
      { description: "The points' distance. The indicator's first when left out.", example: 'monthly' },
      ['daily', 'weekly', 'monthly', 'quarterly', 'annual', 'semiannual'],
    ),
    maturity: absent(
      choice({ description: 'Which treasury yield.', example: '10year' }, maturities),
      '10year',
    ),
  },
  check: ({ indicator, interval }) => {
    const { intervals }: EconomicSeries = SERIES[indicator]
    if (interval === null || intervals.includes(interval)) return []
    const problem = `is ${interval}, which ${indicator} does not have: it takes ${intervals.join(', ')}`
    return [{ in: 'query', name: 'interval', problem, example: `interval=${intervals[0]}` }]
  },
  plan: ({ indicator, interval: asked, maturity }) => {
    const { name, unit, intervals, total }: EconomicSeries = SERIES[indicator]
    const interval = asked ?? intervals[0]
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
        indicators: texts(series),
        maturity: text(isYield ? maturity : ''),
        interval: text(interval),
        sources: texts(sources),
        lengths: texts(lengths),
        total: text(total),
      },
      envelope: [`{"data":${head.slice(0, -2)}`, ']}}'],
    }
  },
})

import { readTemplate } from '../../engine/template.ts'
import { operation } from '../answering/operation.ts'
import { InvalidRequest } from '../answering/validate.ts'
import { matching, required } from '../parameters/kinds.ts'
import type { Fault } from '../parameters/parameter.ts'

const currency = (description: string, example: string) =>
  required(
    matching({
      description: `${description} An ISO 4217 code, in any case.`,
      example,
      pattern: /^[A-Za-z]{3}$/,
      is: 'an ISO 4217 code: three letters',
      canonical: given => given.toUpperCase(),
    }),
  )

export const forexRate = operation({
  id: 'forex-rate',
  path: '/api/forex/rate',
  summary: 'The latest exchange rate between two currencies',
  description:
    'How much of `to` one unit of `from` costs: the latest quote of the pair, else 1 over that of the inverse one, else the two crossed through USD, else through EUR. `rate` is the mid; the bid of an inverse quote is 1 over its ask. `bid` and `ask` are null where a quote is a reference rate, which has neither. `last_refreshed` is the time of the older of two quotes. Of a currency to itself the rate is 1, refreshed with its latest quote. A currency of which the lake holds no quote is refused.',
  parameters: {
    from: currency('The currency that is priced.', 'EUR'),
    to: currency('The currency of the price.', 'USD'),
  },
  plan: () => ({ reads: {} }),
  settle: async (values, ask) => {
    const table = await ask(readTemplate('forex-rate-currencies'))
    const known = new Set([...(table.getChild('currency') ?? [])].map(String))
    const faults = (['from', 'to'] as const).flatMap((name): Fault[] =>
      known.has(values[name]) ? [] : [unknown(name, `is ${values[name]}, of which there is no quote`)],
    )
    if (faults.length > 0) throw new InvalidRequest(faults)
    return values
  },
  missing: ({ from, to }) =>
    new InvalidRequest([
      unknown('to', `is ${to}, which no quote links to ${from}, not through USD or EUR either`),
    ]),
})

const unknown = (name: 'from' | 'to', problem: string): Fault => ({
  in: 'query',
  name,
  problem,
  example: name === 'from' ? 'from=EUR' : 'to=USD',
})

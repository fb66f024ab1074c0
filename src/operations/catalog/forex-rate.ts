import { readTemplate } from '../../engine/template.ts'
import type { Snapshot } from '../../lake/store/snapshot.ts'
import { onLast, otherThan, search } from '../answering/example.ts'
import { unknownBecause } from '../answering/lacking.ts'
import { type Ask, operation } from '../answering/operation.ts'
import { InvalidRequest } from '../answering/validate.ts'
import { among, from, type OperationFields, without } from '../fields/notation.ts'
import { matching, required } from '../parameters/kinds.ts'
import type { Fault } from '../parameters/parameter.ts'

/** Currencies that most lakes quote, for examples. */
const COMMON = { from: ['EUR', 'USD'], to: ['USD', 'EUR'] } as const

const currency = (description: string, example: string) =>
  required(
    matching({
      description: `${description} An ISO 4217 code, in any case.`,
      example,
      pattern: /^[A-Za-z]{3}$/,
      is: 'an ISO 4217 code: three letters',
      canonical: sent => sent.toUpperCase(),
    }),
  )

const quote = from('fx_quotes')
const REFERENCE_RATE = 'a leg is a reference rate, which has neither bid nor ask'

const fields: OperationFields = {
  dating: ['fx_quotes'],
  parts: [
    {
      at: 'data',
      record: 'FxRate',
      fields: [
        without('request', 'from', 'string', 'the requested code, in upper case'),
        without('request', 'to', 'string', 'the requested code, in upper case'),
        quote.made(
          'rate',
          'number',
          'rate time',
          'of the latest direct quote, else 1 / the inverse one, else crossed through USD, then EUR',
        ),
        quote.made(
          'bid',
          'number',
          'bid ask',
          'of the same quotes; 1 / ask for an inverse one',
          REFERENCE_RATE,
        ),
        quote.made(
          'ask',
          'number',
          'ask bid',
          'of the same quotes; 1 / bid for an inverse one',
          REFERENCE_RATE,
        ),
        quote.made('last_refreshed', 'string', 'time', '`YYYY-MM-DD HH:MM:SS` of the oldest leg'),
        ...among(['UTC'], without('constant', 'time_zone', 'string', '`UTC`')),
      ],
    },
  ],
  parameters: ['from', 'to'].map(name =>
    quote.made(
      name,
      'string',
      'base quote',
      'a quote between the two currencies, else quotes through USD, then EUR',
    ),
  ),
}

export const forexRate = operation({
  id: 'forex-rate',
  fields,
  examples: [
    search('fx_quotes', 'DISTINCT base AS "from", quote AS "to"', `${onLast('date')} ORDER BY ALL LIMIT 5`),
  ],
  parameters: {
    from: currency('The currency that is priced.', 'EUR'),
    to: currency('The currency of the price.', 'USD'),
  },
  plan: () => ({ reads: {} }),
  settle: async (values, ask, snapshot) => {
    const known = await currenciesOf(snapshot, ask)
    const faults = (['from', 'to'] as const)
      .filter(name => !known.has(values[name]))
      .map((name): Fault => {
        const held = [...COMMON[name], ...[...known].toSorted()].find(code => known.has(code)) ?? null
        const why = unknownBecause(snapshot, 'fx_quotes', 'a currency without a quote in the lake')
        const problem = `is ${values[name]}, ${why}`
        return unknown(name, problem, otherThan(values[name], held, ...COMMON[name]))
      })
    if (faults.length > 0) throw new InvalidRequest(faults)
    return values
  },
  missing: ({ from, to }) =>
    new InvalidRequest([
      unknown('to', `is ${to}, which no quote connects with ${from}, also not through USD or EUR`, from),
    ]),
})

const currencies = new WeakMap<Snapshot, ReadonlySet<string>>()

/** The currencies with quotes: looked up once per snapshot. */
async function currenciesOf(snapshot: Snapshot, ask: Ask): Promise<ReadonlySet<string>> {
  const known =
    currencies.get(snapshot) ??
    new Set([...((await ask(readTemplate('forex-rate-currencies'))).getChild('currency') ?? [])].map(String))
  currencies.set(snapshot, known)
  return known
}

const unknown = (name: 'from' | 'to', problem: string, code: string): Fault => ({
  in: 'query',
  name,
  problem,
  example: `${name}=${code}`,
})

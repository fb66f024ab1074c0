import { readFileSync } from 'node:fs'
import type { OptionTerms, OptionType } from '../../src/market/black-scholes.ts'

/** A published figure of test/fixtures/greeks.csv, each line with its source. */
export interface Published {
  readonly line: number
  readonly greek: string
  readonly terms: OptionTerms
  readonly volatility: number
  readonly value: number
  /** Half a unit of the last printed digit, or what the source's own test allows. */
  readonly tolerance: number
  readonly unit: string
  readonly source: string
}

/** One CSV line's fields: quotes enclose commas, and nothing else is quoted here. */
const fieldsOf = (line: string) =>
  [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,"]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** A number or a quotient such as 1/12. */
const number = (text: string) => {
  const [dividend, divisor = 1] = text.split('/').map(Number)
  return Number(dividend) / divisor
}

export function publishedGreeks(): Published[] {
  const text = readFileSync(new URL('../fixtures/greeks.csv', import.meta.url), 'utf8')
  const [, ...lines] = text.trim().split('\n')
  return lines.map((line, index) => {
    const [greek = '', type, spot = '', strike = '', rate = '', yields = '', years = '', ...rest] =
      fieldsOf(line)
    const [volatility, value, tolerance, unit = '', source = ''] = rest
    const terms = {
      type: type as OptionType,
      spot: number(spot),
      strike: number(strike),
      years: number(years),
      rate: number(rate),
      dividendYield: number(yields),
    }
    return {
      line: index + 2,
      greek,
      terms,
      volatility: Number(volatility),
      value: Number(value),
      tolerance: Number(tolerance),
      unit,
      source,
    }
  })
}

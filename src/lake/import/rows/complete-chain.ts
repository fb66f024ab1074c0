import { integer } from '../../../engine/bind.ts'
import type { NumberColumns } from '../../../engine/number-columns.ts'
import type { Writer } from '../../../engine/writer.ts'
import { type Greeks, type OptionTerms, optionGreeks } from '../../../market/black-scholes.ts'
import { DAY_MS, dayOf } from '../../../market/day.ts'
import { yearsToExpiryAtClose } from '../../../market/expiry-time.ts'
import { impliedVolatility } from '../../../market/implied-volatility.ts'
import { identifier } from '../../store/sorted-files.ts'

/** The columns to complete, all DECIMAL(18, 10). */
const FIGURES = [
  'implied_volatility',
  'delta',
  'gamma',
  'theta',
  'vega',
  'rho',
  'charm',
  'vanna',
] as const satisfies readonly ('implied_volatility' | keyof Greeks)[]

/** Rows in memory at a time: two of DuckDB's row groups. */
const BATCH_ROWS = 2 * 122_880

const PLACES = 10 ** 10

/** Figures from here on may have more digits than the column. */
const FIGURE_END = 10 ** 8 - 1

const dateOf = (epochDays: number) => dayOf(epochDays * DAY_MS)

/**
 * Completes end-of-day chains: `table` is a table of the writer with the columns of option_chain_days and any others.
 * Fills a missing implied volatility and missing greeks by Black-Scholes without interest and dividends, at the regular
 * close of the row's day. Existing values stay. Returns the number of rows that got at least one value.
 *
 * The volatility is the row's own, otherwise that of the midpoint of its quotes (0 <= bid <= ask, ask above 0),
 * otherwise that of its last trade, rounded as stored. The greeks are computed from it. Nothing is filled without a
 * price of the underlying, from the expiration day on, from a volatility of 0 (which sources use for unknown), or from
 * a price that implies no volatility.
 */
export async function completeChain(writer: Writer, table: string): Promise<number> {
  const name = identifier(table)
  const { end } = await writer.numbers(`SELECT (coalesce(max(rowid), -1) + 1)::DOUBLE AS end FROM ${name}`)
  const columns = ['contract', ...FIGURES].map(column => `${column} DOUBLE`)
  let completed = 0
  for (let start = 0; start < (end?.[0] ?? 0); start += BATCH_ROWS) {
    const contracts = await writer.numbers(selectSql(name), {
      start: integer(start),
      end: integer(start + BATCH_ROWS),
    })
    const figures = figuresOf(contracts)
    const count = figures.contract?.length ?? 0
    if (count === 0) continue
    await writer.run(`CREATE OR REPLACE TEMP TABLE chain_figures (${columns.join(', ')})`)
    await writer.append('chain_figures', figures)
    await writer.run(updateSql(name))
    completed += count
  }
  await writer.run('DROP TABLE IF EXISTS chain_figures')
  return completed
}

/** Contracts of one batch that lack a figure, have a price of the underlying and have not expired. */
const selectSql = (name: string) => `
  SELECT
    rowid::DOUBLE AS contract,
    (date - DATE '1970-01-01')::INTEGER AS date,
    (expiry - DATE '1970-01-01')::INTEGER AS expiry,
    (option_type = 'call')::INTEGER AS call,
    (settlement = 'AM')::INTEGER AS am,
    strike::DOUBLE AS strike,
    underlying_price::DOUBLE AS spot,
    CASE WHEN bid >= 0 AND ask >= bid AND ask > 0 THEN (bid + ask) / 2 ELSE last::DOUBLE END AS price,
    ${FIGURES.map(figure => `${figure}::DOUBLE AS ${figure}`).join(', ')}
  FROM ${name}
  WHERE rowid >= $start
    AND rowid < $end
    AND underlying_price > 0
    AND strike > 0
    AND expiry >= date
    AND (${FIGURES.map(figure => `${figure} IS NULL`).join(' OR ')})
  ORDER BY rowid`

/** The cast rounds half away from zero. */
const updateSql = (name: string) => `
  UPDATE ${name} AS chain
  SET ${FIGURES.map(figure => `${figure} = coalesce(chain.${figure}, chain_figures.${figure}::DECIMAL(18, 10))`).join(', ')}
  FROM chain_figures
  WHERE chain.rowid = chain_figures.contract::BIGINT`

/**
 * The figures, by rowid, of contracts with at least one missing figure that can be computed; NaN for those that cannot.
 */
function figuresOf(contracts: NumberColumns): NumberColumns {
  const column = (name: string) => contracts[name] ?? new Float64Array()
  const [contract, date, expiry, am] = [column('contract'), column('date'), column('expiry'), column('am')]
  const [call, spot, strike, price] = [column('call'), column('spot'), column('strike'), column('price')]
  const stored = FIGURES.map(column)
  const volatility = column('implied_volatility')
  const years = yearsByDay()
  const found = FIGURES.map(() => new Float64Array(contract.length))
  const foundContract = new Float64Array(contract.length)
  let count = 0
  for (let row = 0; row < contract.length; row += 1) {
    const terms: OptionTerms = {
      type: call[row] === 1 ? 'call' : 'put',
      spot: spot[row] as number,
      strike: strike[row] as number,
      years: years(date[row] as number, expiry[row] as number, am[row] === 1),
      rate: 0,
      dividendYield: 0,
    }
    const figures = complete(terms, price[row] as number, volatility[row] as number)
    if (!figures?.some((figure, index) => !Number.isNaN(figure) && Number.isNaN(stored[index]?.[row])))
      continue
    foundContract[count] = contract[row] as number
    for (const [index, values] of found.entries()) values[count] = figures[index] as number
    count += 1
  }
  const filled = found.map((values, index) => [FIGURES[index], values.subarray(0, count)] as const)
  return { contract: foundContract.subarray(0, count), ...Object.fromEntries(filled) }
}

/**
 * All figures of one contract in the order of FIGURES, NaN for one that its column cannot hold; null without
 * volatility.
 */
function complete(terms: OptionTerms, price: number, stored: number): readonly number[] | null {
  if (!(terms.years > 0)) return null
  const implied = Number.isNaN(stored) ? impliedVolatility(terms, price) : stored
  const volatility = Math.round((implied ?? 0) * PLACES) / PLACES
  if (!(volatility > 0 && volatility < FIGURE_END)) return null
  const greeks = optionGreeks(terms, volatility)
  return FIGURES.map(name => {
    const figure = name === 'implied_volatility' ? volatility : greeks[name]
    return Math.abs(figure) < FIGURE_END ? figure : Number.NaN
  })
}

/** The years to expiry at the close, by days since 1970, cached by pair of days: a chain has few pairs. */
function yearsByDay(): (date: number, expiry: number, am: boolean) => number {
  const known = new Map<number, number>()
  return (date, expiry, am) => {
    // Days since 1970 are below 2²², so that a double holds the key exactly.
    const key = (date * 2 ** 22 + expiry) * 2 + Number(am)
    const years = known.get(key) ?? yearsToExpiryAtClose(dateOf(date), dateOf(expiry), am ? 'AM' : 'PM')
    known.set(key, years)
    return years
  }
}

import { integer } from '../../engine/bind.ts'
import type { NumberColumns, Writer } from '../../engine/writer.ts'
import { type Greeks, type OptionTerms, optionGreeks } from '../../market/black-scholes.ts'
import { DAY_MS, dayOf } from '../../market/day.ts'
import { yearsToExpiryAtClose } from '../../market/expiry-time.ts'
import { halfEven } from '../../market/half-even.ts'
import { impliedVolatility } from '../../market/implied-volatility.ts'
import { identifier } from '../store/sorted-files.ts'

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

const PLACES = 10

/** Figures from here on may have more digits than the column. */
const FIGURE_END = 10 ** 8 - 1

const dateOf = (epochDays: number) => dayOf(epochDays * DAY_MS)

/**
 * Computes the figures of the contracts in `table`, a table of the writer with the columns of option_greek_days, by
 * Black-Scholes-Merton at the regular close of the row's day: those that are missing in rows with a rate and a forward.
 * Figures in the table stay. Returns the number of rows that got at least one figure.
 *
 * The volatility is the row's own, otherwise that of its price, rounded as stored. The greeks are computed from it. The
 * yield of the underlying is the one at which the forward is its fair price. Nothing is computed on the expiration day and
 * after it, from a volatility of 0 (which sources use for unknown), or from a price that implies no volatility. Rows
 * without a computed figure lose price, rate and forward; those without a volatility lose figures_source.
 *
 * A change of these results needs a change of the text of sql/derive/option_greek_days.sql: stored days are computed
 * again if it differs.
 */
export async function computeFigures(writer: Writer, table: string): Promise<number> {
  const name = identifier(table)
  const { end } = await writer.numbers(`SELECT (coalesce(max(rowid), -1) + 1)::DOUBLE AS end FROM ${name}`)
  const columns = ['contract', ...FIGURES].map(column => `${column} DOUBLE`)
  let computed = 0
  for (let start = 0; start < (end?.[0] ?? 0); start += BATCH_ROWS) {
    const rows = { start: integer(start), end: integer(start + BATCH_ROWS) }
    const figures = figuresOf(await writer.numbers(selectSql(name), rows))
    await writer.run(`CREATE OR REPLACE TEMP TABLE chain_figures (${columns.join(', ')})`)
    const count = figures.contract?.length ?? 0
    if (count > 0) {
      await writer.append('chain_figures', figures)
      await writer.run(updateSql(name))
    }
    await writer.run(clearSql(name), rows)
    computed += count
  }
  await writer.run('DROP TABLE IF EXISTS chain_figures')
  await writer.run(
    `UPDATE ${name} SET figures_source = NULL WHERE figures_source <> 'chain' AND price IS NULL`,
  )
  return computed
}

/** Contracts of one batch that have a rate and a forward and have not expired. */
const selectSql = (name: string) => `
  SELECT
    rowid::DOUBLE AS contract,
    (date - DATE '1970-01-01')::INTEGER AS date,
    (expiry - DATE '1970-01-01')::INTEGER AS expiry,
    (option_type = 'call')::INTEGER AS call,
    (settlement = 'AM')::INTEGER AS am,
    strike::DOUBLE AS strike,
    underlying_price::DOUBLE AS spot,
    price::DOUBLE AS price,
    rate::DOUBLE AS rate,
    forward::DOUBLE AS forward,
    ${FIGURES.map(figure => `${figure}::DOUBLE AS ${figure}`).join(', ')}
  FROM ${name}
  WHERE rowid >= $start
    AND rowid < $end
    AND rate IS NOT NULL
    AND forward IS NOT NULL
    AND underlying_price > 0
    AND strike > 0
  ORDER BY rowid`

const updateSql = (name: string) => `
  UPDATE ${name} AS chain
  SET ${FIGURES.map(figure => `${figure} = coalesce(chain.${figure}, half_even(chain_figures.${figure}, 10)::DECIMAL(18, 10))`).join(', ')}
  FROM chain_figures
  WHERE chain.rowid = chain_figures.contract::BIGINT`

/** Removes what the figures of a batch would have been computed with from the rows that got none. */
const clearSql = (name: string) => `
  UPDATE ${name}
  SET price = NULL, rate = NULL, forward = NULL
  WHERE rowid >= $start
    AND rowid < $end
    AND coalesce(price, rate, forward) IS NOT NULL
    AND rowid NOT IN (SELECT contract::BIGINT FROM chain_figures)`

/**
 * The figures, by rowid, of contracts with at least one missing figure that can be computed; NaN for those that cannot.
 */
function figuresOf(contracts: NumberColumns): NumberColumns {
  const column = (name: string) => contracts[name] ?? new Float64Array()
  const [contract, date, expiry, am] = [column('contract'), column('date'), column('expiry'), column('am')]
  const [call, spot, strike, price] = [column('call'), column('spot'), column('strike'), column('price')]
  const [rate, forward] = [column('rate'), column('forward')]
  const stored = FIGURES.map(column)
  const volatility = column('implied_volatility')
  const years = yearsByDay()
  const found = FIGURES.map(() => new Float64Array(contract.length))
  const foundContract = new Float64Array(contract.length)
  let count = 0
  for (let row = 0; row < contract.length; row += 1) {
    const terms = termsOf({
      type: call[row] === 1 ? 'call' : 'put',
      spot: spot[row] as number,
      strike: strike[row] as number,
      years: years(date[row] as number, expiry[row] as number, am[row] === 1),
      rate: rate[row] as number,
      forward: forward[row] as number,
    })
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

/** The terms with the yield q of the underlying that its forward F implies: F = S e^((r - q) T). */
function termsOf({
  forward,
  ...contract
}: Omit<OptionTerms, 'dividendYield'> & { readonly forward: number }): OptionTerms {
  const { spot, rate, years } = contract
  return { ...contract, dividendYield: years > 0 ? rate - Math.log(forward / spot) / years : 0 }
}

/**
 * All figures of one contract in the order of FIGURES, NaN for one that its column cannot hold; null without
 * volatility.
 */
function complete(terms: OptionTerms, price: number, stored: number): readonly number[] | null {
  if (!(terms.years > 0)) return null
  const implied = Number.isNaN(stored) ? impliedVolatility(terms, price) : stored
  const volatility = halfEven(implied ?? 0, PLACES)
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

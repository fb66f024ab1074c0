import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openWriter, type Writer } from '../../../../src/engine/writer.ts'
import { completeChain } from '../../../../src/lake/import/rows/complete-chain.ts'
import { folderForTest } from '../../../fixtures/lake.ts'

const SCHEMA = readFileSync(new URL('../../../../sql/schema/option_chain_days.sql', import.meta.url), 'utf8')
const FIGURES = ['implied_volatility', 'delta', 'gamma', 'theta', 'vega', 'rho', 'charm', 'vanna'] as const

/** A contract of 3 January 2024 on an underlying at 100, by what differs: SQL literals. */
type Contract = Readonly<Record<string, string>>

const CONTRACT: Contract = {
  date: "'2024-01-03'",
  underlying_symbol: "'ABC'",
  option_type: "'call'",
  strike: '100',
  // 91.25 days would be a quarter of a year; 73 days are a fifth.
  expiry: "'2024-03-16'",
  multiplier: '100',
  settlement: "'PM'",
  underlying_price: '100',
}

async function chain(contracts: readonly Contract[]): Promise<Writer> {
  const writer = await openWriter({ directories: [folderForTest()] })
  onTestFinished(() => writer.close())
  await writer.run(SCHEMA.replace('CREATE TABLE option_chain_days', 'CREATE TEMP TABLE chains'))
  for (const [index, contract] of contracts.entries()) {
    const values = { ...CONTRACT, option_symbol: `'C${index}'`, ...contract }
    await writer.run(
      `INSERT INTO chains (${Object.keys(values).join(', ')}) VALUES (${Object.values(values).join(', ')})`,
    )
  }
  return writer
}

const figures = (writer: Writer) =>
  writer.rows(`SELECT ${FIGURES.join(', ')} FROM chains ORDER BY option_symbol`)

/** The figures after completion, and the returned number of completed contracts. */
async function completed(contracts: readonly Contract[]) {
  const writer = await chain(contracts)
  const count = await completeChain(writer, 'chains')
  return { count, rows: await figures(writer) }
}

const NONE = Object.fromEntries(FIGURES.map(name => [name, null]))

/**
 * Figures by their formulas with mpmath in 30 digits, rounded to 10 places, T = 73/365 and no interest. The call of
 * strike 100 at 3.5671: volatility 0.2000022906, s = 0.0894437435, d1 = -d2 = s/2, φ(d1) = 0.3985435284. So gamma is
 * φ/(100 s), theta -100 φ 0.2000022906/(2 √0.2)/365, vega φ √0.2, charm φ d2/0.4/365, vanna -φ d2/20.00022906.
 */
const CALL_AT_3_5671 = {
  implied_volatility: '0.2000022906',
  delta: '0.5178355000',
  gamma: '0.0445580108',
  theta: '-0.0244159076',
  vega: '0.1782340843',
  rho: '0.0964329000',
  charm: '-0.0001220795',
  vanna: '0.0008911704',
}

/** The put of strike 95 at 1.25. */
const PUT_AT_1_25 = {
  implied_volatility: '0.1803796700',
  delta: '-0.2494603284',
  gamma: '0.0393478410',
  theta: '-0.0175377237',
  vega: '0.1419510115',
  rho: '-0.0523920657',
  charm: '0.0012946952',
  vanna: '-0.0104793129',
}

/** The same put at a volatility of 25 %. */
const PUT_AT_25_PERCENT = {
  implied_volatility: '0.2500000000',
  delta: '-0.3033873223',
  gamma: '0.0312559778',
  theta: '-0.0267602550',
  vega: '0.1562798891',
  rho: '-0.0652685048',
  charm: '0.0009642960',
  vanna: '-0.0056314888',
}

const CALL = { bid: '3.5000', ask: '3.6342' }
const PUT = { option_type: "'put'", strike: '95', bid: '1.2', ask: '1.3' }

describe('completing chains', () => {
  test('fills volatility and greeks of contracts with quotes, from the middle of them', async () => {
    expect(await completed([CALL, PUT])).toEqual({ count: 2, rows: [CALL_AT_3_5671, PUT_AT_1_25] })
  })

  test.each([
    ['without quotes', {}],
    ['without a bid', { ask: '3.8' }],
    ['without an offer', { bid: '3.2' }],
    ['with a crossed market', { bid: '3.7', ask: '3.6' }],
    ['with a negative bid', { bid: '-0.1', ask: '3.6' }],
    ['with an offer of nothing', { bid: '0', ask: '0' }],
  ])('takes the last trade of a contract %s', async (_, quotes) => {
    expect(await completed([{ ...quotes, last: '3.5671' }])).toEqual({ count: 1, rows: [CALL_AT_3_5671] })
  })

  test('prefers quotes to the last trade, a bid of nothing and a locked market included', async () => {
    const { rows } = await completed([
      { bid: '3.5671', ask: '3.5671', last: '9' },
      { bid: '0', ask: '7.1342', last: '9' },
    ])
    expect(rows).toEqual([CALL_AT_3_5671, CALL_AT_3_5671])
  })

  test('keeps the volatility of the source, and the greeks follow from it, quotes or not', async () => {
    const values = { ...PUT, implied_volatility: '0.25' }
    const withoutQuotes = { option_type: "'put'", strike: '95', implied_volatility: '0.25' }
    expect(await completed([values, withoutQuotes])).toEqual({
      count: 2,
      rows: [PUT_AT_25_PERCENT, PUT_AT_25_PERCENT],
    })
  })

  test('keeps the greeks of the source and fills those it lacks', async () => {
    const values = { delta: '-0.3', theta: '0', vanna: '7.7' }
    expect(await completed([{ ...PUT, ...values }])).toEqual({
      count: 1,
      rows: [{ ...PUT_AT_1_25, delta: '-0.3000000000', theta: '0.0000000000', vanna: '7.7000000000' }],
    })
  })

  test.each([
    ['without a price of the underlying', { ...CALL, underlying_price: 'NULL' }],
    ['with an underlying at 0', { ...CALL, underlying_price: '0' }],
    ['with a strike of 0', { ...CALL, strike: '0' }],
    ['without any price', {}],
    ['below its intrinsic value', { ...CALL, strike: '90' }],
    ['at its intrinsic value', { bid: '9.9', ask: '10.1', strike: '90' }],
    ['at more than the underlying', { bid: '100', ask: '101' }],
    ['on its expiration day', { ...CALL, expiry: "'2024-01-03'" }],
    ['on its expiration day, AM-settled', { ...CALL, expiry: "'2024-01-03'", settlement: "'AM'" }],
    ['after its expiration', { ...CALL, expiry: "'2024-01-02'" }],
  ])('leaves a contract %s as it is', async (_, contract) => {
    const { count, rows } = await completed([contract])
    expect(count).toBe(0)
    expect(rows).toEqual([NONE])
  })

  test.each([
    ['on the expiration day', { expiry: "'2024-01-03'" }],
    ['of an underlying at 0', { underlying_price: '0' }],
    ['of a strike of 0', { strike: '0' }],
  ])('computes no greeks %s from the volatility of the source either', async (_, contract) => {
    const values = { implied_volatility: '0.25', delta: '1' }
    expect(await completed([{ ...CALL, ...values, ...contract }])).toEqual({
      count: 0,
      rows: [{ ...NONE, implied_volatility: '0.2500000000', delta: '1.0000000000' }],
    })
  })

  test('takes a volatility of 0 for none, and overwrites it with nothing', async () => {
    expect(await completed([{ ...CALL, implied_volatility: '0' }])).toEqual({
      count: 0,
      rows: [{ ...NONE, implied_volatility: '0.0000000000' }],
    })
  })

  test('counts an AM-settled contract by the same days before its expiration', async () => {
    expect((await completed([{ ...CALL, settlement: "'AM'" }])).rows).toEqual([CALL_AT_3_5671])
  })

  test('omits a figure that its column cannot hold', async () => {
    // s = 0.000001 × √0.2 = 4.4721e-7. On the strike gamma is 0.4/(0.001 s) = 9e8, where the column ends at 1e8, delta
    // 0.5 + 0.39894 s/2 and vega 0.39894 × 0.001 × √0.2/100.
    const contract = { underlying_price: '0.001', strike: '0.001', implied_volatility: '0.000001' }
    const others = { delta: '0.5', theta: '0', vega: '0', rho: '0', charm: '0', vanna: '0' }
    const { count, rows } = await completed([contract, { ...contract, ...others }])
    expect(count).toBe(1)
    expect(rows[0]).toMatchObject({ delta: '0.5000000892', gamma: null, vega: '0.0000017841' })
    expect(rows[1]?.gamma).toBeNull()
  })

  test('completes once: a second time there is nothing left to do, and nothing changes', async () => {
    const writer = await chain([CALL, { ...PUT, delta: '-0.3' }, {}])
    expect(await completeChain(writer, 'chains')).toBe(2)
    const once = await writer.rows('SELECT * FROM chains ORDER BY ALL')
    expect(await completeChain(writer, 'chains')).toBe(0)
    expect(await writer.rows('SELECT * FROM chains ORDER BY ALL')).toEqual(once)
  })

  test('takes an empty table, and tables of any name with more columns', async () => {
    const writer = await chain([CALL])
    await writer.run('CREATE TABLE "a ""chain" AS SELECT 7 AS line, * FROM chains')
    expect(await completeChain(writer, 'a "chain')).toBe(1)
    expect(await writer.rows(`SELECT line, ${FIGURES.join(', ')} FROM "a ""chain"`)).toEqual([
      { line: 7, ...CALL_AT_3_5671 },
    ])
    await writer.run('DELETE FROM chains')
    expect(await completeChain(writer, 'chains')).toBe(0)
  })

  test('completes every one of 300,000 contracts within seconds, each by its own terms', async () => {
    const writer = await chain([CALL])
    await writer.run(
      `CREATE TABLE many AS
       SELECT chains.* REPLACE (
         CASE number % 2 WHEN 0 THEN 'call' ELSE 'put' END AS option_type,
         50 + number % 100 AS strike,
         DATE '2024-01-04' + (number % 701)::INTEGER AS expiry,
         NULL::DECIMAL(18, 4) AS ask,
         (greatest(CASE number % 2 WHEN 0 THEN 1 ELSE -1 END * (50 - number % 100), 0)
           + 0.01 * (1 + number % 313))::DECIMAL(18, 4) AS last
       )
       FROM chains, range(300000) AS numbers(number)`,
    )
    const before = process.cpuUsage()
    expect(await completeChain(writer, 'many')).toBe(300_000)
    // About 2 s of processor time, whatever else the machine does; the bound is for slower ones.
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(10)
    // Two identities without interest tie every row to its own days: vega = S² γ σ T, theta = -S² γ σ² / 2.
    const [row] = await writer.rows(
      `SELECT
         count(*) FILTER (abs(vega - 10000 * gamma * implied_volatility * (expiry - date) / 365 / 100) < 1e-6) AS vegas,
         count(*) FILTER (abs(theta + 5000 * gamma * implied_volatility * implied_volatility / 365) < 1e-6) AS thetas,
         count(*) FILTER (sign(delta) = CASE option_type WHEN 'call' THEN 1 ELSE -1 END) AS deltas,
         count(DISTINCT implied_volatility) > 50000 AS various
       FROM many`,
    )
    expect(row).toEqual({ vegas: '300000', thetas: '300000', deltas: '300000', various: true })
  })
})

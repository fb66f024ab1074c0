import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openWriter, type Writer } from '../../../src/engine/writer.ts'
import { computeFigures } from '../../../src/lake/derive/chain-figures.ts'
import { folderForTest } from '../../fixtures/lake.ts'

const SCHEMA = readFileSync(new URL('../../../sql/schema/option_greek_days.sql', import.meta.url), 'utf8')
const FIGURES = ['implied_volatility', 'delta', 'gamma', 'theta', 'vega', 'rho', 'charm', 'vanna'] as const

/** A contract of 3 January 2024 on an underlying at 100 without interest, by what differs: SQL literals. */
type Contract = Readonly<Record<string, string>>

const CONTRACT: Contract = {
  date: "'2024-01-03'",
  underlying_symbol: "'ABC'",
  option_type: "'call'",
  strike: '100',
  // 91.25 days would be a quarter of a year; 73 days are a fifth.
  expiry: "'2024-03-16'",
  settlement: "'PM'",
  underlying_price: '100',
  figures_source: "'midpoint'",
  rate: '0',
  forward: '100',
}

async function chain(contracts: readonly Contract[]): Promise<Writer> {
  const writer = await openWriter({ directories: [folderForTest()] })
  onTestFinished(() => writer.close())
  await writer.run(SCHEMA.replace('CREATE TABLE option_greek_days', 'CREATE TEMP TABLE chains'))
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
  const count = await computeFigures(writer, 'chains')
  return { count, rows: await figures(writer) }
}

const NONE = Object.fromEntries(FIGURES.map(name => [name, null]))

/** What a row says that its figures are computed with. */
const model = (writer: Writer) =>
  writer.rows('SELECT figures_source, price, rate, forward FROM chains ORDER BY option_symbol')

/**
 * Figures by their formulas in 45 digits (Python's decimal), rounded to 10 places, T = 73/365 and no interest. The call of
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

const CALL = { price: '3.5671' }
const PUT = { option_type: "'put'", strike: '95', price: '1.25' }

describe('completing chains', () => {
  test('fills volatility and greeks of contracts with a price', async () => {
    expect(await completed([CALL, PUT])).toEqual({ count: 2, rows: [CALL_AT_3_5671, PUT_AT_1_25] })
  })

  test('computes them with the rate, and with the yield that the forward implies', async () => {
    // A year at 5 % interest and a yield of 1.3 %: a volatility of 16 % costs 8.13647 and 4.55100. Without both, it would be
    // 20.4 % and 11.4 %, and the delta of the call 0.54.
    const year = { expiry: "'2025-01-02'", rate: '0.05', forward: '103.7693020838' }
    const { rows } = await completed([
      { ...year, price: '8.1365' },
      { ...year, option_type: "'put'", price: '4.5510' },
    ])
    expect(rows).toEqual([
      {
        implied_volatility: '0.1600007786',
        delta: '0.6141582535',
        gamma: '0.0234479977',
        theta: '-0.0133340643',
        vega: '0.3751697888',
        rho: '0.5327932536',
        charm: '-0.0001380866',
        vanna: '-0.0035464741',
      },
      {
        implied_volatility: '0.1600000071',
        delta: '-0.3729256079',
        gamma: '0.0234481054',
        theta: '-0.0038191315',
        vega: '0.3751697036',
        rho: '-0.4184356079',
        charm: '-0.0001732433',
        vanna: '-0.0035465256',
      },
    ])
  })

  test('leaves rate, forward and source only where they were used', async () => {
    const writer = await chain([
      CALL,
      { ...PUT, figures_source: "'chain'", price: 'NULL', implied_volatility: '0.25' },
      { ...CALL, strike: '90' },
      { figures_source: "'chain'", price: 'NULL', implied_volatility: '0' },
      { figures_source: "'last'" },
      { figures_source: "'chain'", rate: 'NULL', forward: 'NULL' },
    ])
    expect(await computeFigures(writer, 'chains')).toBe(2)
    const none = { price: null, rate: null, forward: null }
    const used = { rate: '0.0000000000', forward: '100.0000000000' }
    expect(await model(writer)).toEqual([
      { figures_source: 'midpoint', price: '3.56710', ...used },
      { figures_source: 'chain', price: null, ...used },
      { figures_source: null, ...none },
      { figures_source: 'chain', ...none },
      { figures_source: null, ...none },
      { figures_source: 'chain', ...none },
    ])
  })

  test('keeps the volatility of the source, and the greeks follow from it, with a price or not', async () => {
    const values = { ...PUT, implied_volatility: '0.25' }
    const withoutPrice = { option_type: "'put'", strike: '95', implied_volatility: '0.25' }
    expect(await completed([values, withoutPrice])).toEqual({
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
    ['without a rate', { ...CALL, rate: 'NULL' }],
    ['without a forward', { ...CALL, forward: 'NULL' }],
    ['below its intrinsic value', { ...CALL, strike: '90' }],
    ['at its intrinsic value', { price: '10', strike: '90' }],
    ['at more than the underlying', { price: '100.5' }],
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
    const worthless = { underlying_price: '0.001', strike: '0.001', forward: '0.001' }
    const contract = { ...worthless, implied_volatility: '0.000001' }
    const others = { delta: '0.5', theta: '0', vega: '0', rho: '0', charm: '0', vanna: '0' }
    const { count, rows } = await completed([contract, { ...contract, ...others }])
    expect(count).toBe(1)
    expect(rows[0]).toMatchObject({ delta: '0.5000000892', gamma: null, vega: '0.0000017841' })
    expect(rows[1]?.gamma).toBeNull()
  })

  test('takes an empty table, and tables of any name with more columns', async () => {
    const writer = await chain([CALL])
    await writer.run('CREATE TABLE "a ""chain" AS SELECT 7 AS line, * FROM chains')
    expect(await computeFigures(writer, 'a "chain')).toBe(1)
    expect(await writer.rows(`SELECT line, ${FIGURES.join(', ')} FROM "a ""chain"`)).toEqual([
      { line: 7, ...CALL_AT_3_5671 },
    ])
    await writer.run('DELETE FROM chains')
    expect(await computeFigures(writer, 'chains')).toBe(0)
  })

  test('completes every one of 300,000 contracts within seconds, each by its own terms', {
    tags: 'slow',
  }, async () => {
    const writer = await chain([CALL])
    await writer.run(
      `CREATE TABLE many AS
       SELECT chains.* REPLACE (
         CASE number % 2 WHEN 0 THEN 'call' ELSE 'put' END AS option_type,
         50 + number % 100 AS strike,
         DATE '2024-01-04' + (number % 701)::INTEGER AS expiry,
         (greatest(CASE number % 2 WHEN 0 THEN 1 ELSE -1 END * (50 - number % 100), 0)
           + 0.01 * (1 + number % 313))::DECIMAL(18, 5) AS price
       )
       FROM chains, range(300000) AS numbers(number)`,
    )
    const before = process.cpuUsage()
    expect(await computeFigures(writer, 'many')).toBe(300_000)
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

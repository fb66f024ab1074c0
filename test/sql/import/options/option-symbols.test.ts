import { expect, test } from 'vitest'
import { openWriter } from '../../../../src/engine/writer.ts'
import { sharedMacros } from '../../../../src/lake/import/format/formats.ts'
import { settlementOf, UNDERLYING_OF_ROOT, underlyingOf } from '../../../../src/market/option-roots.ts'
import { parseOptionSymbol } from '../../../../src/market/osi.ts'
import { folderForTest } from '../../../fixtures/lake.ts'

/** What the macros of the import formats answer for a list of texts, one row each. */
async function answers(texts: readonly string[], select: string) {
  const writer = await openWriter({ directories: [folderForTest()] })
  try {
    for (const { sql } of sharedMacros()) await writer.run(sql)
    const list = texts.map(text => `'${text}'`).join(', ')
    return await writer.rows(
      `SELECT ${select} FROM (SELECT unnest([${list}]) AS x, generate_subscripts([${list}], 1) AS place) ORDER BY place`,
    )
  } finally {
    writer.close()
  }
}

const READABLE = [
  'AAPL240119C00150000',
  'SPXW231215P04100500',
  'F240229C00012125',
  'AAPL1140606C00092860',
  '2SPY240119C00470000',
  'BRKB  240119P00360000',
  'SPXPM 140117P01850000',
  'aapl240119c00150000',
  'A00000240119C99999999',
]
const UNREADABLE = [
  '',
  'AAPL',
  '240119C00150000',
  'ABCDEFG240119C00150000',
  'AAPL240230C00150000',
  'AAPL230229C00150000',
  'AAPL241301C00150000',
  'AAPL240119X00150000',
  'AAPL240119C0150000',
  'AAPL240119C001500000',
  'BRK.B240119P00360000',
  'AAPL240119 C00150000',
  'AAPL   240119C00150000',
  'O:O:AAPL240119C00150000',
  'O:AAPL   240119C00150000',
]

test('An imported symbol is read as in requests, with or without the prefix O:', async () => {
  const texts = [...READABLE, ...UNREADABLE]
  const select = `
    option_symbol_of(x) AS symbol,
    option_symbol_of('O:' || x) AS prefixed,
    CASE WHEN symbol IS NOT NULL THEN left(symbol, -15) END AS root,
    CASE WHEN symbol IS NOT NULL THEN option_expiry(symbol)::VARCHAR END AS expiry,
    CASE WHEN symbol IS NOT NULL THEN option_type_of(symbol) END AS type,
    CASE WHEN symbol IS NOT NULL THEN option_strike(symbol)::DOUBLE END AS strike`
  for (const [place, row] of (await answers(texts, select)).entries()) {
    const text = texts[place] ?? ''
    const contract = parseOptionSymbol(text)
    const symbol = contract && text.replaceAll(' ', '').toUpperCase()
    expect(row, text).toEqual({
      symbol,
      prefixed: symbol,
      root: contract?.root ?? null,
      expiry: contract?.expiry ?? null,
      type: contract?.type ?? null,
      strike: contract?.strike ?? null,
    })
  }
  // By hand: a dot or a doubled prefix is none, whatever else is.
  expect(UNREADABLE.map(text => parseOptionSymbol(text))).toEqual(UNREADABLE.map(() => null))
})

test('An imported root becomes the underlying that requests name', async () => {
  const roots = [
    ...UNDERLYING_OF_ROOT.keys(),
    'AAPL',
    'SPX',
    'XSP',
    'AAPL1',
    'BRKB2',
    '2SPY',
    '4SPXW',
    '123',
    'A1B',
  ]
  const rows = await answers(roots, 'underlying_of_root(x) AS underlying')
  expect(rows.map(row => row.underlying)).toEqual(roots.map(underlyingOf))
})

test('An imported contract is settled as the market settles it, on every day from 2000 to 2035', {
  tags: 'slow',
}, async () => {
  const roots = ['SPX', 'SPXW', 'NDX', 'NDXP', 'RUT', 'DJX', 'VIX', 'VIXW', 'XSP', 'AAPL']
  const days = Array.from(
    { length: (Date.UTC(2035, 11, 31) - Date.UTC(2000, 0, 1)) / 86_400_000 + 1 },
    (_, index) => new Date(Date.UTC(2000, 0, 1) + index * 86_400_000).toISOString().slice(0, 10),
  )
  const texts = days.map(day => `${day.slice(2).replaceAll('-', '')}C00100000`)
  const select = `ARRAY_TO_STRING([${roots.map(root => `option_settlement('${root}' || x)`).join(', ')}], ' ') AS all_roots`
  const rows = await answers(texts, select)
  expect(rows.map(row => row.all_roots)).toEqual(
    days.map(day => roots.map(root => settlementOf(root, day)).join(' ')),
  )
})

test('A fill has the side of the midpoint that it is on, and none without a bid and an offer', async () => {
  const fills = ['2.46 2.40 2.50', '2.45 2.40 2.50', '2.44 2.40 2.50', '3 3 3', '0.05 0 0.05']
  const without = ['1 1.2 1.1', '1 NULL 1.1', '1 1.1 NULL', '1 0 0', '1 -1 1.1']
  const columns = [1, 2, 3].map(
    part => `TRY_CAST(nullif(split_part(x, ' ', ${part}), 'NULL') AS DECIMAL(18, 4))`,
  )
  const rows = await answers([...fills, ...without], `fill_side(${columns.join(', ')}) AS side`)
  expect(rows.map(row => row.side)).toEqual(['ask', 'mid', 'bid', 'mid', 'ask', 'no', 'no', 'no', 'no', 'no'])
})

test('A call bought and a put sold are bullish, the reverse bearish, all else neutral', async () => {
  const rows = await answers(
    ['ask', 'bid', 'mid', 'no'],
    `array_to_string(fill_tags(x, 'call') || fill_tags(x, 'put'), ' ') AS tags`,
  )
  expect(rows.map(row => row.tags)).toEqual([
    'ask_side bullish ask_side bearish',
    'bid_side bearish bid_side bullish',
    'mid_side neutral mid_side neutral',
    'no_side neutral no_side neutral',
  ])
})

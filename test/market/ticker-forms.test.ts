import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { macros } from '../../src/engine/macros.ts'
import { sharedMacros } from '../../src/lake/import/format/formats.ts'
import { tickerOf } from '../../src/market/ticker-forms.ts'

// As the vendors' own pages write them.
const FORMS: readonly (readonly [written: string, ticker: string])[] = [
  ['BRK.B', 'BRK.B'],
  ['BRK-B', 'BRK.B'],
  ['brk-b', 'BRK.B'],
  ['brk.b', 'BRK.B'],
  ['brk-b.us', 'BRK.B'],
  ['BRK/B', 'BRK.B'],
  ['BRK B', 'BRK.B'],
  ['BRK_B', 'BRK.B'],
  ['aapl.us', 'AAPL'],
  ['HEI-A', 'HEI.A'],
  ['MKC-V', 'MKC.V'],
  ['BRK/B US', 'BRK.B'],
  ['AAPL US Equity', 'AAPL'],
  ['NYSE:BRK.B', 'BRK.B'],
  ['NASDAQ:AAPL', 'AAPL'],
  // Preferred shares.
  ['BAC-PL', 'BAC.PRL'],
  ['BAC-P-L', 'BAC.PRL'],
  ['BAC.PRL', 'BAC.PRL'],
  ['BAC/PRL', 'BAC.PRL'],
  ['BAC PRL', 'BAC.PRL'],
  ['BAC PR L', 'BAC.PRL'],
  ['BACpL', 'BAC.PRL'],
  ['BAC^L', 'BAC.PRL'],
  ['BAC$L', 'BAC.PRL'],
  ['BAC.PR.L', 'BAC.PRL'],
  ['BAC/PL', 'BAC.PRL'],
  ['bac_l.us', 'BAC.PRL'],
  ['bac-pl.us', 'BAC.PRL'],
  ['TYp', 'TY.PR'],
  ['TY PR', 'TY.PR'],
  ['inet:BAC-L', 'BAC.PRL'],
  ['inet:AGM-A', 'AGM.PRA'],
  ['inet:TY-', 'TY.PR'],
  ['inet:CELG^', 'CELG.RT'],
  // Warrants, units, rights, and shares when issued.
  ['ACHR.WS', 'ACHR.WS'],
  ['ACHR-WT', 'ACHR.WS'],
  ['ACHR/WS', 'ACHR.WS'],
  ['ACHR+', 'ACHR.WS'],
  ['ACHR.W', 'ACHR.WS'],
  ['ACHR-WTA', 'ACHR.WS.A'],
  ['ACHR+A', 'ACHR.WS.A'],
  ['TDW WSA', 'TDW.WS.A'],
  ['ACHR.WS.A', 'ACHR.WS.A'],
  ['AAC-UN', 'AAC.U'],
  ['AAC/U', 'AAC.U'],
  ['AAC.U', 'AAC.U'],
  ['AAC=', 'AAC.U'],
  ['AAC-RI', 'AAC.RT'],
  ['AAC.RT', 'AAC.RT'],
  ['AAC.R', 'AAC.RT'],
  ['AACr', 'AAC.RT'],
  ['GEV-WI', 'GEV.WI'],
  ['GEV#', 'GEV.WI'],
  ['GEVw', 'GEV.WI'],
  // A preferred share on one platform, a class on others.
  ['BAC-L', 'BAC-L'],
  ['GRP-W', 'GRP-W'],
  ['TY-', 'TY-'],
  ['HWM/PR', 'HWM/PR'],
  // None of these is such a form.
  ['BRKB', 'BRKB'],
  ['bacpl', 'BACPL'],
  ['BTC-USD', 'BTC-USD'],
  ['ETH-BTC', 'ETH-BTC'],
  ['VOD.L', 'VOD.L'],
  ['RY.TO', 'RY.TO'],
  ['Z-1', 'Z-1'],
  ['A-', 'A-'],
  ['A', 'A'],
  ['Ap', 'AP'],
  ['AAPL240119C00190000', 'AAPL240119C00190000'],
]

test('a ticker has one form, whichever form a request has', () => {
  expect(FORMS.map(([written]) => [written, tickerOf(written)])).toEqual(FORMS)
  // The form of the lake is its own form.
  for (const [, ticker] of FORMS) expect(tickerOf(ticker)).toBe(ticker)
})

test('a ticker of a file has the same form as one of a request', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  for (const { name, sql } of sharedMacros())
    if (['share_form', 'ticker_of'].includes(name)) await connection.run(sql)
  const result = await connection.run(
    `SELECT x, ticker_of(x) FROM (VALUES ${FORMS.map(([x], n) => `(${n}, '${x}')`).join(', ')}) AS texts (n, x) ORDER BY n`,
  )
  expect(await result.getRowsJson()).toEqual(FORMS)

  // The audit of an old lake names exactly the stored tickers that have another form.
  for (const { name, sql } of macros()) if (name === 'is_vendor_ticker') await connection.run(sql)
  const stored = FORMS.map(([written]) => written.toUpperCase()).filter(x => /^[A-Z][A-Z0-9.-]{0,9}$/.test(x))
  const renamed = stored.filter(x => tickerOf(x) !== x)
  const found = await connection.run(
    `SELECT x FROM (VALUES ${stored.map((x, n) => `(${n}, '${x}')`).join(', ')}) AS texts (n, x)
     WHERE is_vendor_ticker(x) ORDER BY n`,
  )
  expect((await found.getRowsJson()).flat()).toEqual(renamed)
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { detect } from '../../../../src/lake/import/detect/detect.ts'
import { folderForTest } from '../../../fixtures/lake.ts'

/** Files by name, and the formats and layouts as which they are recognised, or why they are not. */
const FILES: Readonly<Record<string, readonly [text: string, found: string]>> = {
  'house.json': [
    '[{"disclosure_date":"10/04/2021","transaction_date":"2021-09-27","owner":"joint","ticker":"ACME","asset_description":"Acme","type":"purchase","amount":"$1,001 - $15,000","representative":"Hon. Jane Example","district":"NC05","ptr_link":"https://example.com/1.pdf"}]',
    'congress-house',
  ],
  'kaggle.csv': ['Date,Open,High,Low,Close,Volume,Name\n2024-01-02,1,2,1,1.5,10,A\n', 'daily-bars'],
  'kaggle-coins.csv': [
    'Date,Open,High,Low,Close,Volume,Name\n2024-01-02,1,2,1,1.5,10,Acme Coin\n',
    'daily-bars',
  ],
  'lean-minutes.csv': [
    'ticker,date,ms_since_midnight_et,open,high,low,close,volume\nA,2024-01-02,34200000,1,2,1,1.5,10\n',
    'minute-bars',
  ],
  'prices-without-time.csv': ['open,high,low,close\n1,2,1,1.5\n', 'none'],
  'splits-without-ratio.csv': ['ticker,execution_date\nA,2024-01-02\n', 'none'],
  'prints-without-time.csv': ['ticker,date,price,size,exchange\nA,2024-01-02,1,2,Q\n', 'none'],
  'rate-without-quote.csv': ['Date,Base,Rate\n2024-01-02,EUR,1.1\n', 'none'],
  'places-alone.csv': ['Date,Symbol,Account,Put\n2024-01-02,ACME,C,17\n', 'none'],
  'date-alone.json': ['[{"date":"2024-01-02","symbol":"ACME","netIncome":96995}]', 'none'],
  'dividends.csv': [
    'Date,Dividends\n2024-02-09,0.24\n',
    'is a list of dividends of Yahoo or EODHD, whose amounts are adjusted for later splits',
  ],
  'insiders.json': [
    '[{"Ticker":"ACME","Date":"2024-01-02","Name":"EXAMPLE JANE","AcquiredDisposedCode":"D"}]',
    'is a list of transactions of insiders, which does not say to which filing each belongs',
  ],
  'BTC-USD.json': ['[[1704153600000,44220.8,45899.7,44176.9,44957.9,12345.678]]', 'crypto-bars/ccxt'],
  'bitfinex-BTC-USD.json': [
    '[[1704153600000,44220.8,44957.9,45899.7,44176.9,12345.678]]',
    'crypto-bars/bitfinex',
  ],
  'EUR_USD Historical Data.csv': [
    '"Date","Price","Open","High","Low","Vol.","Change %"\n"01/03/2024","1.0922","1.0942","1.0966","1.0893","","-0.18%"\n',
    'fx-rates/investing',
  ],
}

test('files are recognised by what they have, and not by a date or a ticker alone', async () => {
  const folder = folderForTest()
  for (const [name, [text]] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const detected = await detect(Object.keys(FILES).map(name => join(folder, name)))
  const found = detected.map(({ candidates, refusal }) => {
    const names = candidates.map(({ format, layout }) => (layout ? `${format}/${layout.name}` : format))
    return refusal?.message.replace(/^\S+ (.*?): .*$/, '$1') ?? (names.join() || 'none')
  })
  expect(found).toEqual(Object.values(FILES).map(([, expected]) => expected))
})

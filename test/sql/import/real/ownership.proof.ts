import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serveForTest } from '../../../fixtures/service.ts'
import { importingFormat } from '../formats.ts'

const FOLDER = '../shared/realdata/form4'
const FORMS = ['374WaterForm4', 'form3.snow.nonderiv', 'form3.snow', 'form4.snow', 'form5.snow']
const PURCHASES = `${FOLDER}/openinsider_cluster_buys_2023.csv`

/** What Python reads of the raw files: each form's transactions in shares, its owners, and the rows of the purchases. */
const PYTHON = `
import csv, json, sys
import xml.etree.ElementTree as ET
from decimal import Decimal
from pathlib import Path
forms = {}
for path in sys.argv[2:]:
    root = ET.parse(path).getroot()
    text = lambda node, at: (node.findtext(at) or '').strip()
    forms[Path(path).stem] = {
        'ticker': text(root, 'issuer/issuerTradingSymbol'),
        'day': max(each.text for each in root.iter('signatureDate')),
        'trades': [[
            text(each, 'transactionDate/value'),
            text(each, 'transactionCoding/transactionCode'),
            '%.4f' % Decimal(text(each, 'transactionAmounts/transactionShares/value')),
            '%.6f' % Decimal(text(each, 'transactionAmounts/transactionPricePerShare/value')),
            '%.4f' % Decimal(text(each, 'postTransactionAmounts/sharesOwnedFollowingTransaction/value')),
        ] for each in root.iter('nonDerivativeTransaction')],
        'owners': [[text(each, 'reportingOwnerId/rptOwnerCik').lstrip('0'), text(each, 'reportingOwnerId/rptOwnerName')]
            for each in root.iter('reportingOwner')],
    }
# The header has no-break spaces.
header, *rows = csv.reader(open(sys.argv[1], newline='', encoding='utf-8'))
rows = [dict(zip([name.replace(chr(160), ' ').strip() for name in header], row)) for row in rows]
purchases = [[row['Filing Date'][:10], row['Ticker'], row['Trade Date'], row['Trade Type'][0], row['Qty'], row['Price'], row['Owned']]
    for row in rows]
spent = sum(Decimal(row[4]) * Decimal(row[5]) for row in purchases if row[1] == 'PETS')
json.dump({'forms': forms, 'purchases': purchases, 'spent': '%.10f' % spent}, sys.stdout)
`

interface Raw {
  forms: Record<string, { ticker: string; day: string; trades: string[][]; owners: string[][] }>
  purchases: string[][]
  spent: string
}

test.skipIf(!existsSync(FOLDER))(
  'the forms and purchases in ../shared are those that Python reads, and those that the operations on insiders tell',
  async () => {
    const paths = FORMS.map(name => `${FOLDER}/${name}.xml`)
    const raw: Raw = JSON.parse(
      execFileSync('python3', ['-c', PYTHON, PURCHASES, ...paths], { encoding: 'utf8' }),
    )
    const forms = Object.entries(raw.forms)
    const at = importingFormat('sec-ownership')
    await at.import([...paths, PURCHASES])

    const trades = await at.rows(
      `SELECT accession_number, sequence, filing_date, ticker, cik, transaction_date, transaction_code, shares, price, shares_after
       FROM bars WHERE cik <> '' ORDER BY accession_number, sequence`,
      'insider_trades',
    )
    expect(trades).toEqual(
      forms.flatMap(([name, { ticker, day, trades, owners }]) =>
        trades.map((trade, place) => [name, place + 1, day, ticker, owners[0]?.[0], ...trade].join(' ')),
      ),
    )
    // One grant, no holdings of the two Forms 3, an exercise with five sales, a gift.
    expect(forms.map(([, each]) => each.trades.length)).toEqual([1, 0, 0, 6, 1])

    const insiders = await at.rows('SELECT ticker, cik, name FROM bars ORDER BY ticker, cik', 'insiders')
    expect(insiders).toEqual(
      forms
        .flatMap(([, { ticker, owners }]) => owners.map(owner => `${ticker} ${owner.join(' ')}`))
        .toSorted(),
    )

    const purchases = await at.rows(
      `SELECT filing_date, ticker, transaction_date, transaction_code, shares::BIGINT, price::DECIMAL(18, 2), shares_after::BIGINT
       FROM bars WHERE cik = '' ORDER BY ALL`,
      'insider_trades',
    )
    expect(purchases).toHaveLength(100)
    expect(purchases.toSorted()).toEqual(raw.purchases.map(row => row.join(' ')).toSorted())

    const service = await serveForTest(at.folder, at.lake)
    const get = async (url: string) => {
      const headers = { authorization: `Bearer ${service.token}` }
      return JSON.parse((await service.server.inject({ url, headers })).body).data
    }
    expect(
      (await get('/api/insider/SNOW')).map((each: Record<string, unknown>) => each.display_name),
    ).toEqual([
      'Berkshire Hathaway Inc',
      'Warren E. Buffett',
      'Mark Garrett',
      'John Dennis McMahon',
      'Michael Scarpelli',
    ])
    // 73,170 × 150.841 + 74,907 × 151.814 + 41,986 × 152.655 + 5,496 × 153.872 + 4,441 × 154.76
    expect(await get('/api/stock/SNOW/insider-buy-sells')).toEqual([
      {
        filing_date: '2022-12-14',
        purchases: 0,
        purchases_notional: '0.0000000000',
        sells: 5,
        sells_notional: '-30351309.7700000000',
      },
    ])
    expect(await get('/api/stock/PETS/insider-buy-sells')).toMatchObject([
      { filing_date: '2023-11-13', purchases: 1, purchases_notional: raw.spent, sells: 0 },
    ])
    await service.close()
  },
  60_000,
)

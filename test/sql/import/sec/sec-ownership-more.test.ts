import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { CLUSTERS, filed, ownership } from './ownership.ts'

function reporting() {
  const at = importingFormat('sec-ownership')
  let files = 0
  return {
    ...at,
    take: (...texts: string[]) => at.import(texts.map(text => at.file(`form${++files}.xml`, text))),
    trades: (sql: string) => at.rows(sql, 'insider_trades'),
    insiders: (sql = 'FROM bars ORDER BY ticker, name') => at.rows(sql, 'insiders'),
  }
}

describe('An insider', () => {
  test('has a readable name', async () => {
    const names = [
      // [as filed, officer, as shown, a person]
      ['BUCKTHORN WINSTON E', '0', 'Winston E. Buckthorn', 'true'],
      ['Melford Rajani Ramona', '1', 'Rajani Ramona Melford', 'true'],
      ["O'HARROW-VANE SEAN P JR", '0', "Sean P. O'Harrow-Vane Jr", 'true'],
      ['MCALDER JOHN III', '0', 'John McAlder III', 'true'],
      ['DE LA FERN ISABEL', '0', 'Isabel De La Fern', 'true'],
      ['LE PETRA', '0', 'Petra Le', 'true'],
      ['Ambershaw, Adele', '0', 'Adele Ambershaw', 'true'],
      ['CHER', '0', 'Cher', 'true'],
      ['deVine Ann LaRue', '0', 'Ann LaRue deVine', 'true'],
      ['TRUST MARTHA', '0', 'Trust Martha', 'false'],
      ['TRUST MARTHA', '1', 'Martha Trust', 'true'],
      ['QVT FOXGLOVE HOLDINGS II, L.P.', '0', 'QVT Foxglove Holdings II L.P.', 'false'],
      ['Ambershaw 2012 Irrevocable Trust', '0', 'Ambershaw 2012 Irrevocable Trust', 'false'],
      ['HAZEL FREIGHT LTD', '0', 'Hazel Freight Ltd', 'false'],
      ['GORSE MINING CO', '0', 'Gorse Mining Co', 'false'],
      ['COLUMB SE-JUN', '0', 'Se-Jun Columb', 'true'],
      ['Élan  Zoé', '0', 'Zoé Élan', 'true'],
    ] as const
    const at = reporting()
    await at.take(
      ownership({
        owners: names.map(([name, officer], place) => ({ cik: `${100 + place}`, name, officer })),
      }),
    )
    expect(await at.insiders('SELECT cik, id, display_name, is_person FROM bars ORDER BY cik')).toEqual(
      names.map(([, , shown, person], place) => `${100 + place} ${100 + place} ${shown} ${person}`),
    )
    expect(
      await at.insiders("SELECT name_slug FROM bars WHERE cik IN ('102', '111', '116') ORDER BY cik"),
    ).toEqual(['sean-p-o-harrow-vane-jr', 'qvt-foxglove-holdings-ii-l-p', 'zoe-elan'])
  })

  test('is that of the latest filing, and keeps the other facts in the lake', async () => {
    const at = reporting()
    const held = [
      'ticker,cik,updated_on,id,name,display_name,name_slug,is_person,logo_url,social_links',
      'ACME,8000001,2024-05-02,5,OLD NAME,Name Old,name-old,true,l.example,"[""s.example""]"',
      'ACME,8000002,2025-05-02,6,NEW NAME,Name New,name-new,true,,[]',
    ]
    await at.import([at.file('insiders.csv', held)], { format: 'csv-insiders' })
    await at.take(
      filed('0008000001-24-000002', '20240506', { owners: [{ name: 'CURRENT ANN' }, { cik: '8000002' }] }),
      filed('0008000001-24-000001', '20240503', { owners: [{ name: 'FORMER ANN' }] }),
    )
    expect(await at.insiders()).toEqual([
      'ACME 8000001 2024-05-06 8000001 CURRENT ANN Ann Current ann-current true l.example [s.example]',
      'ACME 8000002 2025-05-02 8000002 NEW NAME Name New name-new true - []',
    ])
  })
})

describe('An amendment', () => {
  const day = { date: '2024-05-01' }
  const first = filed('0008000001-24-000001', '20240503', {
    trades: [
      { ...day, shares: '10' },
      { ...day, code: 'S', direction: 'D', shares: '3' },
      { ...day, shares: '20' },
    ],
  })
  const amendment = (number: string, on: string, shares: readonly string[], more: object = {}) =>
    filed(`0008000001-24-00000${number}`, on, {
      kind: '4/A',
      original: '2024-05-03',
      trades: shares.map(each => ({ ...day, shares: each })),
      ...more,
    })
  const ALL =
    'SELECT accession_number, sequence, filing_date, transaction_code, shares FROM bars ORDER BY ALL'
  const AMENDED = [
    '0008000001-24-000001 1 2024-05-03 P 11.0000',
    '0008000001-24-000001 2 2024-05-03 S 3.0000',
    '0008000001-24-000001 3 2024-05-03 P 21.0000',
  ]

  test('replaces the trades that it restates, in any order of import', { tags: 'slow' }, async () => {
    const again = amendment('3', '20240510', ['11', '21'])
    for (const texts of [
      [first, again],
      [again, first],
      [again, amendment('2', '20240507', ['8', '9']), first],
      [amendment('2', '20240503', ['11', '21']), first],
    ]) {
      const at = reporting()
      await at.take(...texts)
      expect(await at.trades(ALL)).toEqual(AMENDED)
    }
  })

  test('replaces trades in the lake, also a second time', async () => {
    const at = reporting()
    await at.take(first)
    await at.take(amendment('2', '20240507', ['11', '21']))
    await at.take(`${amendment('2', '20240507', ['11', '21'])}\n`)
    expect(await at.trades(ALL)).toEqual(AMENDED)
  })

  test('adds missing trades, and further equal ones', async () => {
    const at = reporting()
    await at.take(first, amendment('2', '20240507', ['11', '21', '31']))
    expect(await at.trades(ALL)).toEqual([...AMENDED, '0008000001-24-000002 3 2024-05-07 P 31.0000'])
  })

  test.each([
    ['states fewer than there were', amendment('2', '20240507', ['11'])],
    ['is of another owner', amendment('2', '20240507', ['11', '21'], { owners: [{ cik: '9' }] })],
    ['is of another company', amendment('2', '20240507', ['11', '21'], { ticker: 'BRASS' })],
    ['amends another day', amendment('2', '20240507', ['11', '21'], { original: '2024-05-02' })],
    [
      'is of another code',
      amendment('2', '20240507', ['11', '21'], { trades: [{ code: 'A' }, { code: 'A' }] }),
    ],
    ['is a new filing', amendment('2', '20240507', ['11', '21'], { kind: '4' })],
  ])('does not replace them if it %s', async (_, text) => {
    const at = reporting()
    await at.take(first, text)
    expect((await at.trades(ALL)).slice(0, 3)).toEqual([
      '0008000001-24-000001 1 2024-05-03 P 10.0000',
      '0008000001-24-000001 2 2024-05-03 S 3.0000',
      '0008000001-24-000001 3 2024-05-03 P 20.0000',
    ])
    expect((await at.trades(ALL)).length).toBeGreaterThan(3)
  })
})

test('A filing that is imported from two files counts once', async () => {
  const at = reporting()
  const text = filed('0008000001-24-000001', '20240503', {})
  await at.take(text, `${text}\n`)
  expect(await at.trades('SELECT count(*) FROM bars')).toEqual(['1'])
  expect(at.notices()).toContain('1 row was replaced by later rows with the same key')
})

test('Two purchases that two insiders report at the same moment are two trades', async () => {
  const at = reporting()
  const header =
    'X,Filing\u00a0Date,Trade\u00a0Date,Ticker,Company\u00a0Name,Insider\u00a0Name,Title,Trade\u00a0Type\u00a0\u00a0,Price,Qty,Owned,ΔOwn,Value'
  const row = (insider: string, quantity: string) =>
    `,2024-05-13 11:52:42,2024-05-09,ACME,Acme,${insider},CEO,P - Purchase,$7.32,${quantity},900,9%,$732`
  await at.import([
    at.file('screener.csv', [header, row('Ambershaw Adele', '+100'), row('Hazel Hugo', '+200')]),
  ])
  expect(await at.trades('SELECT ticker, shares FROM bars ORDER BY shares')).toEqual([
    'ACME 100.0000',
    'ACME 200.0000',
  ])
})

describe('A purchase of a cluster', () => {
  const row = (...fields: string[]) => `,${fields.join(',')},,,,`
  const good = (ticker: string) =>
    row(
      '2024-05-13 11:52:42',
      '2024-05-09',
      ticker,
      'Acme',
      'Hardware',
      '3',
      'P - Purchase',
      '7.32',
      '100',
      '900',
      '9',
      '732',
    )
  const bad = (place: number, text: string, ticker = 'BAD') =>
    good(ticker)
      .split(',')
      .with(place, text.includes(',') ? `"${text}"` : text)
      .join(',')

  test('is rejected with its error', async () => {
    const at = reporting()
    const lines = [
      CLUSTERS,
      ...Array.from({ length: 14 }, (_, place) => good(`A${'BCDEFGHIJKLMNO'[place]}`)),
      bad(1, ''),
      bad(1, '13.05.2024'),
      bad(2, '2202-05-09'),
      bad(2, '2024-05-14'),
      bad(3, '<b>ACME</b>'),
      bad(7, 'Purchase'),
      bad(8, 'n/a'),
      bad(8, ''),
      bad(8, '0'),
      bad(9, ''),
      bad(9, '12\n34'.replace('\n', ' ')),
      `${good('CUT').slice(0, 40)}`,
    ]
    const report = await at.import([at.file('purchases.csv', lines)])
    expect(await at.trades('SELECT count(*) FROM bars')).toEqual(['14'])
    expect(at.rejects()).toEqual([
      '16|filing_date|missing|',
      '17|filing_date|not a date|13.05.2024',
      '18|trade_date|before 1900 or in the future|2202-05-09',
      '19|trade_date|after the filing date|2024-05-14',
      '20|ticker|not a ticker|<b>ACME</b>',
      '21|trade_type|not a transaction code|Purchase',
      '22|price|not a plain decimal number|n/a',
      '23|price|missing|',
      '24|price|not above zero|0',
      '25|qty|missing|',
      '26|qty|not a plain decimal number|12 34',
      expect.stringMatching(/^27\|/),
    ])
    expect(report.accounts).toMatchObject([{ records: 26, rows: 14, rejected: 12 }])
  })

  test('may have the notation of the site, and be a sale', async () => {
    const at = reporting()
    const shown = row(
      '2024-05-13 11:52:42',
      '2024-05-09',
      'acme',
      'Acme',
      'Hardware',
      '3',
      'S - Sale+OE',
      '$7.32',
      '"-61,738"',
      '"1,000,000"',
      '-6%',
      '"-$451,922"',
    )
    const report = await at.import([at.file('shown.csv', [CLUSTERS, shown, bad(10, 'New', 'BRASS')])])
    expect(await at.trades('SELECT * EXCLUDE (accession_number) FROM bars ORDER BY ticker')).toEqual([
      '1 2024-05-13 ACME  2024-05-09 S - 61738.0000 7.320000 false 1000000.0000',
      '1 2024-05-13 BRASS  2024-05-09 P - 100.0000 7.320000 true -',
    ])
    expect(report.notes).toContainEqual({ fault: 'shares_after: not a plain decimal number', rows: 1 })
  })

  test('is the same in another file', async () => {
    const at = reporting()
    await at.import([at.file('one.csv', [CLUSTERS, good('ACME')])])
    await at.import([at.file('two.csv', [CLUSTERS, good('BRASS'), bad(8, '7.33', 'ACME')])])
    expect(await at.trades('SELECT ticker, price FROM bars ORDER BY ticker')).toEqual([
      'ACME 7.330000',
      'BRASS 7.320000',
    ])
  })
})

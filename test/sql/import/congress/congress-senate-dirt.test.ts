import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { namedUuid } from '../named-uuid.ts'
import { filing, HEADER, imported, listed, SENATE, trade } from './senate-filings.ts'

describe('errors in filings', () => {
  test('filings without an address, a day, a filer or a list of transactions are rejected once each', async () => {
    const { at, report } = await imported([
      filing(1, [trade(), trade(), trade(), trade(), trade(), trade(), trade()]),
      filing(2, [trade(), trade()], { ptr_link: ' ' }),
      filing(3, [trade(), trade()], { date_recieved: '02/30/2021' }),
      filing(4, [trade(), trade()], { date_recieved: '03/10/2202' }),
      filing(5, [trade(), trade()], { date_recieved: null }),
      filing(6, [trade(), trade()], { office: 'Senator', first_name: '', last_name: null }),
      filing(7, 'none'),
      filing(8, [trade()], { date_recieved: undefined, date_received: '2021-03-12' }),
    ])
    expect(report).toMatchObject({ rows: 8, rejected: 6 })
    expect(at.rejects()).toEqual([
      '2|ptr_link|missing|',
      '3|date_recieved|not a date|02/30/2021',
      '4|date_recieved|before 1900 or in the future|03/10/2202',
      '5|date_recieved|missing|',
      '6|office|missing|',
      '7|transactions|not a list|"none"',
    ])
  })

  // From 10 March 2021 to 11 March 2022 are 366 days.
  test('transactions are rejected for their date, type or amount, and a plausible error of the date is kept', async () => {
    const wrong = [
      { transaction_date: null },
      { transaction_date: '13/45/2021' },
      { transaction_date: '02/11/2202' },
      { transaction_date: '02/11/1812' },
      { transaction_date: '03/12/2022' },
      { type: null },
      { type: 'Gift' },
      { amount: '--' },
      { amount: 'Unknown' },
    ]
    const kept = ['2021-03-10', '03/11/2021', '03/11/2022'].map(day => ({ transaction_date: day }))
    const plenty = Array.from({ length: 10 }, () => ({}))
    const { at, report, rows } = await imported([filing(1, [...wrong, ...kept, ...plenty].map(trade))])
    expect(report).toMatchObject({ rows: 13, rejected: 9 })
    expect(report.notes).toEqual([{ fault: 'transaction_date: after the filing date', rows: 2 }])
    expect(at.rejects().toSorted()).toEqual(
      [
        '1|transaction_date|missing|',
        '1|transaction_date|not a date|13/45/2021',
        '1|transaction_date|before 1900 or in the future|02/11/2202',
        '1|transaction_date|before 1900 or in the future|02/11/1812',
        '1|transaction_date|more than a year after the filing date|03/12/2022',
        '1|type|missing|',
        '1|type|unknown transaction type|Gift',
        '1|amount|missing|--',
        '1|amount|not a dollar amount|Unknown',
      ].toSorted(),
    )
    expect(await rows('DISTINCT transaction_date')).toEqual([
      '2021-02-11',
      '2021-03-10',
      '2021-03-11',
      '2022-03-11',
    ])
  })

  test('HTML, line breaks and codes are read, and an invalid ticker or owner is imported as NULL', async () => {
    const { report, rows } = await imported([
      filing(
        1,
        [
          { ticker: '<a href="https://quotes.example/?s=QRST">QRST-A</a>', amount: '$1,001 -\n   $15,000' },
          { ticker: '--  <br>  <a href="https://quotes.example/?s=ELM">ELM</a>', amount: '$15,001-$50,000' },
          {
            ticker: '3V64.TI',
            owner: 'Grandmother',
            asset_description: '5 &lt; 6 S&amp;amp;P L&#x27;Or&eacute;al &nope;',
          },
          { ticker: 'acme210618C00050000', owner: 'N/A', comment: 'one\r\n  two' },
          {
            ticker: 'N/A',
            owner: 'Child',
            asset_description: '<div class="text-muted"></div>',
            type: 'Exchange',
          },
        ].map((more, number) => trade({ ...more, transaction_date: `02/0${number + 1}/2021` })),
      ),
    ])
    expect(
      await rows('transaction_date, ticker, issuer, asset_description, txn_type, amounts, notes'),
    ).toEqual([
      '2021-02-01 QRST.A self Acme Corporation Buy $1,001 - $15,000 -',
      '2021-02-02 ELM self Acme Corporation Buy $15,001 - $50,000 -',
      "2021-02-03 - - 5 < 6 S&P L'Oréal &nope; Buy $1,001 - $15,000 -",
      '2021-02-04 ACME - Acme Corporation Buy $1,001 - $15,000 one two',
      '2021-02-05 - child - Exchange $1,001 - $15,000 -',
    ])
    expect(report.notes).toEqual([
      { fault: 'owner: unknown owner', rows: 1 },
      { fault: 'ticker: not a ticker', rows: 1 },
    ])
  })

  test('a politician is the same for any case, middle initial or nickname in the filing', async () => {
    const { rows } = await imported([
      filing(1, [trade()]),
      filing(2, [trade()], { office: 'Senator', first_name: 'ADELE ', last_name: 'AMBERSHAW' }),
      filing(3, [trade()], { office: null, first_name: 'Adele R. (Della)', last_name: 'Ambershaw' }),
      filing(6, [trade()], { office: 'Ambrós, José (Senator)' }),
      filing(7, [trade()], { office: 'Ambros, Jose (Senator)' }),
      filing(4, [trade()], { office: 'McBrock, A. Mitchell Jr. (Senator)' }),
      filing(5, [trade()], { office: 'Senator', first_name: 'A. MITCHELL', last_name: "MCBROCK-O'NEIL, JR" }),
    ])
    expect(await rows('DISTINCT name, politician_id')).toEqual([
      `A. Mitchell McBrock Jr. ${namedUuid('member of congress|senate||a mitchell mcbrock jr')}`,
      `A. Mitchell McBrock-O'Neil Jr. ${namedUuid('member of congress|senate||a mitchell mcbrockoneil jr')}`,
      `Adele Ambershaw ${namedUuid('member of congress|senate||adele ambershaw')}`,
      `Jose Ambros ${namedUuid('member of congress|senate||jose ambros')}`,
      `José Ambrós ${namedUuid('member of congress|senate||jose ambros')}`,
    ])
    expect(await rows('DISTINCT reporter')).toContain('ADELE AMBERSHAW')
  })

  test('the list is read with a BOM, lines before its header and line breaks in fields; broken rows are rejected', async () => {
    const lines = [
      '\ufeffSenate Stock Watcher,,,,,,,',
      HEADER,
      listed(1).replace(' - ', ' -\n'),
      listed(1),
      listed(1).replace(',Purchase', ''),
      listed(1, '02/12/2021,Self,Caf\u00e9'),
      listed(1),
    ]
    const at = importingFormat(SENATE)
    const utf8 = Buffer.from(lines.join('\r\n'), 'utf8').toString('latin1')
    const latin1 = Buffer.from(utf8.replace('\u00c3\u00a9', '\u00e9'), 'latin1')
    const report = await at.import([
      at.file('summaries.json', JSON.stringify([filing(1, [trade(), trade(), trade()])])),
      at.file('list.csv', latin1),
    ])
    expect(report).toMatchObject({ rows: 3, rejected: 2 })
    expect(at.rejects().map(each => each.split('|').slice(0, 3).join('|'))).toEqual([
      '6||too few fields',
      '7||not UTF-8',
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { namedUuid } from '../named-uuid.ts'
import { ALL, filing, HEADER, imported, linkOf, listed, SENATE, trade } from './senate-filings.ts'

const SUMMARIES = 'data/samples/congress-senate/all_daily_summaries.json'
const LIST = 'data/samples/congress-senate/all_transactions.csv'

describe('the sample', () => {
  test('is imported as the rows of its filings, without HTML', async () => {
    const at = importingFormat(SENATE)
    const report = await at.import([SUMMARIES])
    expect(
      await at.rows(
        `SELECT filed_at_date, transaction_date, name, issuer, ticker, txn_type, amounts ${ALL}`,
        'congress_trades',
      ),
    ).toEqual([
      '2021-03-10 2021-02-11 Adele Ambershaw spouse ACME Buy $1,001 - $15,000',
      '2021-03-10 2021-02-11 Adele Ambershaw spouse ACME Buy $1,001 - $15,000',
      '2021-03-10 2021-02-16 Adele Ambershaw self BRASS Sell $15,001 - $50,000',
      '2021-04-20 2021-03-01 Bertram Brockelby Jr. joint - Sell (partial) $50,001 - $100,000',
      '2021-04-20 2021-04-25 Bertram Brockelby Jr. child CEDAR Buy $1,001 - $15,000',
      '2021-05-03 2021-04-05 Cosima Carrowmore self DELTA Exchange $100,001 - $250,000',
      '2021-05-03 2021-04-20 Cosima Carrowmore spouse ACME Buy Over $50,000,000',
      '2021-05-03 2021-04-21 Cosima Carrowmore self - Buy $15,001 - $50,000',
      '2021-06-15 2021-04-30 Adele Ambershaw joint FIR.B Sell $250,001 - $500,000',
      '2021-06-15 2021-05-28 Adele Ambershaw self ACME Sell (partial) $1,001 - $15,000',
    ])
    expect(
      await at.rows(
        'SELECT asset_description, notes FROM bars ORDER BY filed_at_date, transaction_date, id',
        'congress_trades',
      ),
    ).toEqual([
      'Acme Corporation -',
      'Acme Corporation -',
      'Brass & Sons Holdings Held in a trust & sold by it',
      'BRASS - Brass & Sons Holdings 000000AA0 Rate/Coupon: 4.500% Matures: 08/01/27 -',
      'Cedar Timber Company Child #2',
      'Delta Works Inc. (Exchanged) Elm Street Partners (Received) -',
      'Acme Corporation Option Type: Call Strike price: $50.00 Expires: 06/18/2021 -',
      'Harbour Bakery LLC Company: Harbour Bakery LLC (Oakdale, MD) Description: Bread -',
      'Fir Lumber, Class B -',
      'Acme Corporation -',
    ])
    expect(
      await at.rows(`SELECT DISTINCT reporter, member_type, is_active ${ALL}`, 'congress_trades'),
    ).toEqual([
      'Ambershaw, Adele R. (Senator) senate true',
      'Brockelby, Bertram Jr. (Senator) senate true',
      'Carrowmore, Cosima (Senator) senate true',
    ])
    expect(at.rejects()).toEqual([
      '3|transactions|scanned paper filing: no readable transactions|https://efdsearch.senate.gov/search/view/paper/000000c3-5a3c-4e21-9b7d-0c4d7a1e00c3/',
    ])
    expect(report.notes).toEqual([
      { fault: 'ticker: two tickers; the first is used', rows: 1 },
      { fault: 'transaction_date: after the filing date', rows: 1 },
    ])
  })

  test('has an id per trade from its filing and content, with a number for equal trades of a filing', async () => {
    const at = importingFormat(SENATE)
    await at.import([SUMMARIES])
    const [first, second] = ['1', '2'].map(number =>
      namedUuid(
        `congress trade|https://efdsearch.senate.gov/search/view/ptr/000000a1-5a3c-4e21-9b7d-0c4d7a1e00a1|2021-02-11|spouse|ACME|Acme Corporation|Buy|$1,001 - $15,000||${number}`,
      ),
    )
    expect(
      await at.rows(
        `SELECT id FROM bars WHERE transaction_date = '2021-02-11' ORDER BY ALL`,
        'congress_trades',
      ),
    ).toEqual([first, second].toSorted())
  })
})

test('trades that differ in any field are numbered separately, so that another trade changes no id', async () => {
  const variants: [Record<string, string>, string][] = [
    [{}, '2021-02-11|self|ACME|Acme Corporation|Buy|$1,001 - $15,000|'],
    [{ transaction_date: '02/12/2021' }, '2021-02-12|self|ACME|Acme Corporation|Buy|$1,001 - $15,000|'],
    [{ owner: '--' }, '2021-02-11||ACME|Acme Corporation|Buy|$1,001 - $15,000|'],
    [{ ticker: '--' }, '2021-02-11|self||Acme Corporation|Buy|$1,001 - $15,000|'],
    [{ asset_description: '--' }, '2021-02-11|self|ACME||Buy|$1,001 - $15,000|'],
    [{ type: 'Exchange' }, '2021-02-11|self|ACME|Acme Corporation|Exchange|$1,001 - $15,000|'],
    [{ amount: '$15,001 - $50,000' }, '2021-02-11|self|ACME|Acme Corporation|Buy|$15,001 - $50,000|'],
    [{ comment: 'sold' }, '2021-02-11|self|ACME|Acme Corporation|Buy|$1,001 - $15,000|sold'],
  ]
  const { rows } = await imported([
    filing(
      1,
      variants.map(([more]) => trade(more)),
    ),
    filing(2, [trade()]),
    filing(3, [trade()], { ptr_link: '' }),
  ])
  const expected = [
    ...variants.map(([, content]) => namedUuid(`congress trade|https://senate.example/ptr/1|${content}|1`)),
    namedUuid(`congress trade|https://senate.example/ptr/2|${variants[0]?.[1]}|1`),
  ]
  expect(await rows('id')).toEqual(expected.toSorted())
})

describe('the summaries and the list', () => {
  test('produce the same lake together, and the list after the summaries changes nothing', {
    tags: 'slow',
  }, async () => {
    const one = importingFormat(SENATE)
    await one.import([SUMMARIES])
    const alone = await one.rows(`SELECT * ${ALL}`, 'congress_trades')
    const again = await one.import([LIST])
    expect(again).toMatchObject({ rows: 10, rejected: 1, published: false })
    expect(await one.rows(`SELECT * ${ALL}`, 'congress_trades')).toEqual(alone)

    for (const inputs of [
      [SUMMARIES, LIST],
      [LIST, SUMMARIES],
    ]) {
      const both = importingFormat(SENATE)
      expect(await both.import(inputs)).toMatchObject({ rows: 10, rejected: 2 })
      expect(await both.rows(`SELECT * ${ALL}`, 'congress_trades')).toEqual(alone)
    }
  })

  test('the list alone is rejected, and is imported after the summaries', { tags: 'slow' }, async () => {
    const at = importingFormat(SENATE)
    expect(await at.refusal([LIST])).toContain('no filing date: import the summaries with it or before it')
    await at.import([SUMMARIES])
    expect(await at.import([LIST])).toMatchObject({ rows: 10, published: false })
  })

  // The address of the added row is written in capitals, and without the slash at its end.
  test('a transaction that the list adds to a filing in the lake has the filing date and senator of that filing', async () => {
    const { report, rows } = await imported(
      [filing(1, [trade()], { date_recieved: '02/28/2021', office: 'Ambershaw, Adele (Former Senator)' })],
      [HEADER, listed(1), listed(1), listed(1, '02/12/2021,Spouse,BRASS').replace('/1/', '/1').toUpperCase()],
    )
    expect(report).toMatchObject({ rows: 3, rejected: 0 })
    expect(await rows('transaction_date, ticker, filed_at_date, name, reporter, is_active')).toEqual([
      '2021-02-11 ACME 2021-02-28 Adele Ambershaw Ambershaw, Adele (Former Senator) false',
      '2021-02-11 ACME 2021-02-28 Adele Ambershaw Ambershaw, Adele (Former Senator) false',
      '2021-02-12 BRASS 2021-02-28 Adele Ambershaw Ambershaw, Adele (Former Senator) false',
    ])
  })

  test('a transaction with a link to another filing has the date of that filing, or is rejected', {
    tags: 'slow',
  }, async () => {
    const at = importingFormat(SENATE)
    // As in the aggregate by senator: the date beside the transactions is that of the first filing alone.
    const ofSenator = at.file(
      'all_transactions_for_senators.json',
      JSON.stringify([
        filing(
          1,
          [1, 2, 9].map(number => trade({ ptr_link: linkOf(number) })),
          { date_recieved: '03/10/2021' },
        ),
      ]),
    )
    const summaries = at.file(
      'all_daily_summaries.json',
      JSON.stringify([
        filing(1, [trade()], { date_recieved: '03/10/2021' }),
        filing(2, [trade()], { date_recieved: '02/20/2021' }),
      ]),
    )
    expect(await at.refusal([ofSenator])).toContain(
      'no filing date: import the summaries with it or before it',
    )
    expect(await at.import([summaries, ofSenator])).toMatchObject({ rows: 2, rejected: 1 })
    expect(at.rejects()).toEqual([
      `1|ptr_link|no filing date: import the summaries with it or before it|${linkOf(9)}`,
    ])
    expect(await at.rows('SELECT filed_at_date FROM bars ORDER BY 1', 'congress_trades')).toEqual([
      '2021-02-20',
      '2021-03-10',
    ])
    // The list as JSON is that as CSV.
    const list = at.file('all_transactions.json', JSON.stringify([trade({ ptr_link: linkOf(2) })]))
    expect(await at.import([list])).toMatchObject({ rows: 1, rejected: 0, published: false })
  })

  test('a row of an unknown filing is rejected, one of a paper filing with that reason', {
    tags: 'slow',
  }, async () => {
    const { at, report } = await imported(
      [filing(1, [trade()]), filing(2, [trade()])],
      [
        HEADER.replace(',ptr_link', ',asset_type,ptr_link'),
        ...[1, 2, 9].map(number => listed(number).replace(',https', ',Stock,https')),
        `03/01/2021,N/A,N/A,scanned,N/A,Unknown,,PDF Disclosed Filing,${linkOf(8)}`,
        listed(1).replace(/,https.*/, ',Stock,'),
        ...[1, 2].map(number => listed(number, '02/13/2021,Self,ELM').replace(',https', ',Stock,https')),
      ],
    )
    expect(report).toMatchObject({ rows: 4, rejected: 3 })
    expect(at.rejects()).toEqual([
      `4|ptr_link|no filing date: import the summaries with it or before it|${linkOf(9)}`,
      `5|transactions|scanned paper filing: no readable transactions|${linkOf(8)}`,
      '6|ptr_link|missing|',
    ])
  })

  test('a filing that occurs twice, in one file or two, counts once, with the content of the last', {
    tags: 'slow',
  }, async () => {
    const at = importingFormat(SENATE)
    const file = (name: string, day: string) =>
      at.file(
        name,
        JSON.stringify(
          ['01/01/2021', day].map(each => filing(1, [trade(), trade()], { date_recieved: each })),
        ),
      )
    await at.import([
      file('a.json', '03/10/2021'),
      file('b.json', '03/11/2021'),
      at.file('c.csv', [HEADER, listed(1)]),
    ])
    const filed = () => at.rows(`SELECT filed_at_date ${ALL}`, 'congress_trades')
    expect(await filed()).toEqual(['2021-03-11', '2021-03-11'])
    // What is imported now goes before what the lake holds, for the list as well.
    await at.import([file('d.json', '03/12/2021'), at.file('e.csv', [HEADER, listed(1), listed(1)])])
    expect(await filed()).toEqual(['2021-03-12', '2021-03-12'])
  })
})

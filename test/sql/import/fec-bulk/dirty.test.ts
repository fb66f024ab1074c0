import { describe, expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { COMMITTEES, candidate, committee, cycleFiles, gift, link, transaction } from './records.ts'

describe('an invalid contribution', () => {
  test('is rejected with its line, and a wrong day or committee is noted', async () => {
    const format = importingFormat('fec-bulk')
    const report = await format.import(
      cycleFiles(format, {
        'itpas2.txt': [
          gift('1', {}),
          gift('2', { day: '' }),
          gift('3', { day: '13452019' }),
          gift('4', { day: '01152202' }),
          gift('5', { day: '01151969' }),
          gift('6', { day: '2019-01-15' }),
          gift('7', { committee: 'C00000098' }),
          gift('8', { amount: '1234.56' }),
          gift('9', { amount: '-50' }),
          gift('10', {}),
          gift('11', { type: '17R', amount: '-60' }),
          gift('12', { amount: '' }),
          gift('13', { amount: '1,000' }),
          gift('14', { amount: '1e3x' }),
          gift('15', { amount: '99999999999999999999' }),
          gift('16', { type: '' }),
          gift('17', { type: '24KK' }),
          gift('', {}),
          gift('4A', {}),
          gift('20', { committee: 'C0001' }),
          // Not counted, so nobody asks about the rest of it.
          gift('21', { type: '24E', amount: 'much' }),
        ],
      }),
    )
    expect(format.rejects()).toEqual([
      '12|transaction_amt|missing|',
      '13|transaction_amt|not a plain decimal number|1,000',
      '14|transaction_amt|not a plain decimal number|1e3x',
      '15|transaction_amt|too large|99999999999999999999',
      '16|transaction_tp|not a transaction type|',
      '17|transaction_tp|not a transaction type|24KK',
      '18|sub_id|not a record number|',
      '19|sub_id|not a record number|4A',
      '20|cmte_id|not a committee|C0001',
    ])
    expect(report.notes).toEqual([
      { fault: 'transaction_dt: not a date from 1975 to tomorrow', rows: 4 },
      { fault: 'cmte_id: not in cm.txt', rows: 1 },
    ])
    expect(
      await format.rows(
        'SELECT id, date, committee_id, amount FROM bars ORDER BY id::INTEGER',
        'fec_contributions',
      ),
    ).toEqual([
      '1 2019-01-15 C00000001 100.00',
      '2 - C00000001 100.00',
      '3 - C00000001 100.00',
      '4 - C00000001 100.00',
      '5 - C00000001 100.00',
      '6 - C00000001 100.00',
      '7 2019-01-15 C00000098 100.00',
      '8 2019-01-15 C00000001 1234.56',
      '9 2019-01-15 C00000001 -50.00',
      '10 2019-01-15 C00000001 100.00',
      '11 2019-01-15 C00000001 -60.00',
    ])
  })

  test('is rejected with the whole import if no committees are imported with it', async () => {
    const format = importingFormat('fec-bulk')
    const people = [
      ...['1', '2'].map(number => transaction(number, { type: '15', entity: 'IND' })),
      transaction('3', { type: '24E' }),
    ]
    expect(await format.refusal([format.file('itcont.txt', people)])).toMatch(/cm\.txt is not in the import/)
  })

  test('is the last of its number, in the order of files', async () => {
    const format = importingFormat('fec-bulk')
    const files = cycleFiles(format, {
      'itpas2.txt': [gift('1', { amount: '1' }), gift('1', { amount: '2' })],
      'itoth.txt': [transaction('1', { amount: '3' })],
    })
    expect((await format.import(files)).faults).toEqual([])
    expect(await format.rows('SELECT amount FROM bars', 'fec_contributions')).toEqual(['3.00'])
  })
})

describe('the files about committees', () => {
  test('may have Latin-1 letters, quotes and truncated lines; a committee has a number and a name', async () => {
    const format = importingFormat('fec-bulk')
    const lines = [
      committee('C00000011', { name: 'SE\u00d1OR PAC' }),
      committee('C00000012', { name: 'THE "BUD" PAC' }),
      committee('C00000013', { name: '' }),
      committee('C1', {}),
      'C00000015|CUT SHORT|DOE, JANE',
      committee('C00000016', { name: 'FIRST' }),
      committee('C00000016', { name: 'SECOND' }),
      ...COMMITTEES,
    ]
    const [, ...others] = cycleFiles(format, {})
    const path = format.file('committees.txt', Buffer.from(`${lines.join('\n')}\n`, 'latin1'))
    await format.import([path, ...others])
    expect(format.rejects().map(each => each.split('|').slice(0, 3).join('|'))).toEqual([
      '3|cmte_nm|missing',
      '4|cmte_id|not a committee',
      expect.stringMatching(/^5\|\|/),
    ])
    expect(
      await format.rows(
        `SELECT name FROM bars WHERE committee_id LIKE '%1_' ORDER BY committee_id`,
        'fec_committees',
      ),
    ).toEqual(['SE\u00d1OR PAC', 'THE "BUD" PAC', 'SECOND'])
  })

  test('that become no rows are checked all the same', async () => {
    const format = importingFormat('fec-bulk')
    const summary = (id: string) => `${id}|N|Q|U|Q${'|'.repeat(22)}`
    await format.import(
      cycleFiles(format, {
        'ccl.txt': [link(2020), link(2020), link(2020).replace('C00000005', 'H0OH01001')],
        'cn.txt': [
          candidate('H0OH01001', 'DEM'),
          candidate('S2OH00001', 'REP'),
          candidate('C00000001', 'REP'),
        ],
        'webk20.txt': [summary('C00000001'), summary('C00000002'), summary('X')],
        'companies.csv': [
          '\ufefforganization,ticker',
          'One,ONE',
          'Two,TWO',
          'Three,THREE',
          'Four,$4',
          ',FIVE',
          'Six,',
        ],
      }),
    )
    expect(format.rejects().toSorted()).toEqual([
      '3|cand_id|not a candidate|C00000001',
      '3|cmte_id|not a committee|H0OH01001',
      '3|cmte_id|not a committee|X',
      '5|ticker|not a ticker|$4',
      '6|organization|missing|',
      '7|ticker|missing|',
    ])
  })
})

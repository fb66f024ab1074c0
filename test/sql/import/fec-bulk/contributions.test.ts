import { expect, test } from 'vitest'
import { importingFormat } from '../formats.ts'
import { COMMITTEES, candidate, committee, cycleFiles, gift, transaction } from './records.ts'

const given = `SELECT id, kind, amount::BIGINT FROM bars ORDER BY id::INTEGER`

/** Every transaction type that the commission publishes. */
const TYPES =
  `10 10J 11 11J 12 13 15 15C 15E 15F 15I 15J 15K 15T 15Z 16C 16F 16G 16H 16J 16K 16L 16R 16U 17R 17U 17Y 17Z
  18G 18H 18J 18K 18L 18U 19 19J 20 20A 20B 20C 20D 20F 20G 20R 20V 20Y 21Y 22G 22H 22J 22K 22L 22R 22U 22X 22Y 22Z 23Y
  24A 24C 24E 24F 24G 24H 24I 24K 24N 24P 24R 24T 24U 24Z 28L 29 30 30E 30F 30G 30J 30K 30T 31 31E 31F 31G 31J 31K 31T
  32 32E 32F 32G 32J 32K 32T 40 40T 40Y 40Z 41 41T 41Y 41Z 42 42T 42Y 42Z`.split(/\s+/)

test('the type of a transaction determines whether it counts, as which kind, and with which sign', async () => {
  const format = importingFormat('fec-bulk')
  const people = TYPES.map((type, place) => transaction(`${1000 + place}`, { type, entity: 'IND' }))
  await format.import(cycleFiles(format, { 'itcont.txt': people }))
  const rows = await format.rows(
    'SELECT id::INTEGER - 1000, kind, amount FROM bars ORDER BY id',
    'fec_contributions',
  )
  const imported = rows.map(row => {
    const [place = '', ...rest] = row.split(' ')
    return [TYPES[Number(place)], ...rest].join(' ')
  })
  const counted = (kind: string, amount: string, types: string) =>
    types.split(' ').map(type => `${type} ${kind} ${amount}`)
  expect(imported.toSorted()).toEqual(
    [
      ...counted('employee', '100.00', '10 15 15E 30 30E 31 31E 32 32E'),
      ...counted('employee', '-100.00', '20Y 22Y 40Y 41Y 42Y'),
      ...counted('pac', '100.00', '24K 24P 24U 24Z'),
      ...counted('pac', '-100.00', '17R 17Z'),
    ].toSorted(),
  )
})

test('contributions of a corporate committee to a candidate or a party are of the kind pac, the rest other', async () => {
  const format = importingFormat('fec-bulk')
  const cases: [string, Parameters<typeof gift>[1]][] = [
    ['pac', { other: 'C00000005' }],
    ['pac', { other: 'C00000007' }],
    ['other', { other: 'C00000002' }],
    ['pac', { other: 'C00000002', candidate: 'H0OH01001' }],
    ['other', { committee: 'C00000002', other: 'C00000005' }],
    // The receiver is unknown: the contributor determines the kind.
    ['pac', { other: 'C00000099', entity: 'PTY' }],
    ['pac', { other: 'C00000099', entity: 'CAN' }],
    ['pac', { other: '', entity: 'CCM' }],
    ['other', { other: 'C00000099', entity: 'PAC' }],
    ['other', { other: 'C00000099', entity: '' }],
    // A receiver that is known is what it is, whatever the giver says.
    ['other', { other: 'C00000002', entity: 'PTY' }],
    // Corporations' committees of other types are not confirmed: super PACs, hybrid PACs.
    ['other', { committee: 'C00000003', other: 'C00000005' }],
    ['other', { committee: 'C00000004', other: 'C00000005' }],
    // Corporations without stock, and committees that are not qualified yet, are.
    ['pac', { committee: 'C00000006', other: 'C00000005' }],
  ]
  await format.import(
    cycleFiles(format, {
      'cm.txt': [
        ...COMMITTEES,
        committee('C00000003', { type: 'O' }),
        committee('C00000004', { type: 'V' }),
        committee('C00000006', { type: 'N', kind: 'W' }),
      ],
      'itpas2.txt': cases.map(([, record], place) => gift(`${place + 1}`, record)),
    }),
  )
  expect(await format.rows(given, 'fec_contributions')).toEqual(
    cases.map(([kind], place) => `${place + 1} ${kind} 100`),
  )
})

test('candidate and senate committees receive for candidates, all three types of parties for parties', async () => {
  const format = importingFormat('fec-bulk')
  const types = ['H', 'S', 'P', 'X', 'Y', 'Z', 'N', 'Q', 'O', 'I']
  const ids = types.map((_, place) => `C0000010${place}`)
  await format.import(
    cycleFiles(format, {
      'cm.txt': [
        ...COMMITTEES,
        ...types.map((type, place) => committee(`C0000010${place}`, { type, kind: '' })),
      ],
      'itpas2.txt': ids.map((other, place) => gift(`${place}`, { other })),
    }),
  )
  expect(
    await format.rows(`SELECT string_agg(kind, ' ' ORDER BY id) FROM bars`, 'fec_contributions'),
  ).toEqual(['pac pac pac pac pac pac other other other other'])
})

test('memo entries and organisations among individuals are excluded; individuals, candidates and unspecified contributors count as persons', async () => {
  const format = importingFormat('fec-bulk')
  await format.import(
    cycleFiles(format, {
      'itpas2.txt': [gift('1', { memo: 'X' }), gift('2', {})],
      'itcont.txt': ['IND', 'CAN', '', 'ORG', 'COM', 'CCM', 'PAC', 'PTY'].map((entity, place) =>
        transaction(`${10 + place}`, { type: '15', entity }),
      ),
    }),
  )
  expect(await format.rows(given, 'fec_contributions')).toEqual([
    '2 pac 100',
    '10 employee 100',
    '11 employee 100',
    '12 employee 100',
  ])
})

test('the party is the candidate’s, else the committee’s; state names of the Democrats are theirs; UNK is none', async () => {
  const format = importingFormat('fec-bulk')
  const to = (id: string, candidateId: string, party: string) =>
    committee(id, { type: 'H', kind: '', party, candidate: candidateId })
  const report = await format.import(
    cycleFiles(format, {
      'cm.txt': [
        ...COMMITTEES,
        to('C00000011', 'H0OH01011', 'REP'),
        to('C00000012', 'H0OH01012', 'REP'),
        to('C00000013', 'H0MN01013', ''),
        to('C00000014', '', 'DNL'),
        to('C00000015', 'H0OH01015', 'UNK'),
        committee('C00000016', { type: 'N', kind: '', party: 'GRE', candidate: 'H0OH01011' }),
      ],
      'cn.txt': [
        candidate('H0OH01011', 'DEM'),
        candidate('H0OH01012', 'UNK'),
        candidate('H0MN01013', 'REP'),
        candidate('H0MN01013', 'DFL'),
        candidate('H0OH01015', ''),
        candidate('H0OH01016', 'LIB'),
      ],
      'itpas2.txt': [
        gift('1', { other: 'C00000011', candidate: 'H8OH01011' }),
        gift('2', { other: 'C00000012' }),
        gift('3', { other: 'C00000013' }),
        gift('4', { other: 'C00000014' }),
        gift('5', { other: 'C00000015' }),
        gift('6', { other: 'C00000016' }),
        gift('7', { other: 'C00000099', candidate: 'H0OH01016' }),
        gift('8', { other: 'H0OH01016' }),
      ],
      'itoth.txt': [transaction('9', { committee: 'C00000007', type: '15', entity: 'IND' })],
    }),
  )
  // 1: the number of the candidacy for this cycle, which the committee has. 6: a PAC is not its candidate's committee.
  expect(
    await format.rows('SELECT id, recipient_id, party FROM bars ORDER BY id', 'fec_contributions'),
  ).toEqual([
    '1 H0OH01011 DEM',
    '2 H0OH01012 REP',
    '3 H0MN01013 DEM',
    '4 C00000014 DEM',
    '5 H0OH01015 -',
    '6 C00000016 GRE',
    '7 H0OH01016 LIB',
    '8 H0OH01016 LIB',
    '9 C00000007 REP',
  ])
  expect(report.rejected).toBe(0)
  expect(report.accounts.map(({ rows }) => rows).toSorted()).toEqual([0, 0, 1, 10, 8])
})

test('the last of two rows of a committee in cm.txt counts, and each contribution once', async () => {
  const format = importingFormat('fec-bulk')
  const report = await format.import(
    cycleFiles(format, {
      'cm.txt': [committee('C00000001', { connected: 'PFIZER' }), ...COMMITTEES, ...COMMITTEES.slice(1)],
      'itpas2.txt': [gift('1', {})],
    }),
  )
  expect(await format.rows('SELECT id, ticker, party FROM bars', 'fec_contributions')).toEqual(['1 BA DEM'])
  expect(report.accounts.map(({ rows }) => rows)).toEqual([8, 0, 1])
})

import { expect, test } from 'vitest'
import { NOTIFICATION_TYPES } from '../../../src/market/vocabulary.ts'
import { serveForTest } from '../../fixtures/service.ts'
import { importingFormat } from './formats.ts'
import { namedUuid } from './named-uuid.ts'

const CSV = 'data/samples/alerts/alerts.csv'
const LINES = 'data/samples/alerts/alerts.jsonl'

const id = (number: number) => `0a11e700-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
const configuration = (number: number) => `c0f16000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`

/** A valid alert, with the specified changes. */
const alert = (more: Record<string, unknown> = {}) => ({
  id: id(1),
  user_noti_config_id: configuration(1),
  name: 'Acme moves',
  noti_type: 'stock',
  symbol: 'ACME',
  symbol_type: 'stock',
  created_at: '2024-03-04T14:30:01Z',
  tape_time: '2024-03-04T14:30:00Z',
  meta: { price: '50.25' },
  ...more,
})
const good = Array.from({ length: 24 }, (_, number) => alert({ id: id(100 + number) }))

/** A lake into which those alerts were imported as JSON lines. */
async function imported(alerts: readonly unknown[]) {
  const at = importingFormat('alerts')
  const report = await at.import([
    at.file(
      'alerts.jsonl',
      alerts.map(each => JSON.stringify(each)),
    ),
  ])
  return {
    at,
    report,
    rows: (columns: string) => at.rows(`SELECT ${columns} FROM bars ORDER BY id`, 'alerts'),
  }
}

test('the sample is imported with the UTC day of creation as date', async () => {
  const at = importingFormat('alerts')
  expect(await at.import([CSV])).toMatchObject({ rows: 10, rejected: 0, notes: [] })
  const rows = (columns: string) => at.rows(`SELECT ${columns} FROM bars ORDER BY id`, 'alerts')
  expect(await rows('date, created_at, tape_time, noti_type, symbol, symbol_type, owner')).toEqual([
    '2024-03-04 2024-03-04 14:30:01.25 2024-03-04 14:30:00 stock ACME stock -',
    '2024-03-04 2024-03-04 15:00:00.000001 2024-03-04 14:59:59.9 option_contract ACME240621C00050000 option_chain -',
    '2024-03-04 2024-03-04 20:10:05 2024-03-04 20:10:04 option_contract ACME240621C00055000 option_chain desk-east',
    '2024-03-05 2024-03-05 12:00:00 2024-03-05 12:00:00 earnings BRASS stock -',
    '2024-03-05 2024-03-05 23:59:59.999999 2024-03-05 23:59:58 news CEDAR stock desk-west',
    '2024-03-06 2024-03-06 00:00:00 2024-03-05 23:59:59 news CEDAR stock -',
    '2024-03-06 2024-03-06 15:45:00.5 2024-03-06 15:44:59.75 flow_alerts FIRB240419P00012500 option_chain -',
    '2024-03-07 2024-03-07 18:00:00 2024-03-07 18:00:00 politician_trades FIR.B stock -',
    '2024-03-08 2024-03-08 15:31:00 2024-03-08 15:30:59 trading_state DELTA stock -',
    '2024-03-08 2024-03-08 20:59:00 2024-03-08 20:58:00 gex ELM stock -',
  ])
  const configurations = [1, 2, 2, 3, 4, 4, 5, 6, 7, 8]
  expect(await rows('id, user_noti_config_id')).toEqual(
    configurations.map((number, index) => `${id(index + 1)} ${configuration(number)}`),
  )
  expect((await rows('name, meta')).filter((_, index) => index === 0 || index === 4)).toEqual([
    'Acme moves {"price": "50.25", "change_perc": "0.0250"}',
    'Cedar in the news {"headline": "Cedar opens a \\"second\\" works", "is_major": false}',
  ])
})

test('JSON lines, with meta as an object, produce the same rows as the CSV', async () => {
  const at = importingFormat('alerts')
  await at.import([LINES])
  expect(await at.import([CSV])).toMatchObject({ rows: 10, published: false })
})

test('an alert is rejected for any missing or invalid field', async () => {
  const wrong: [Record<string, unknown>, string][] = [
    [{ id: 'first' }, 'id|not a UUID|first'],
    [{ user_noti_config_id: null }, 'user_noti_config_id|missing|'],
    [{ user_noti_config_id: '7' }, 'user_noti_config_id|not a UUID|7'],
    [{ name: ' ' }, 'name|missing|'],
    [{ noti_type: null }, 'noti_type|missing|'],
    [{ noti_type: 'weather' }, 'noti_type|unknown notification type|weather'],
    [{ symbol_type: null }, 'symbol_type|missing|'],
    [{ symbol_type: 'index' }, 'symbol_type|neither stock nor option_chain|index'],
    [{ symbol: null }, 'symbol|missing|'],
    [{ symbol: '7UP?' }, 'symbol|not a ticker|7UP?'],
    [{ symbol_type: 'option_chain' }, 'symbol|not an option symbol|ACME'],
    [
      { symbol_type: 'option_chain', symbol: 'ACME240231C00050000' },
      'symbol|not an option symbol|ACME240231C00050000',
    ],
    [{ created_at: null }, 'created_at|missing|'],
    [{ created_at: 'now' }, 'created_at|not a time|now'],
    [{ created_at: '2202-03-04T14:30:01Z' }, 'created_at|before 2000 or in the future|2202-03-04T14:30:01Z'],
    [{ created_at: '1999-12-31T23:59:59Z' }, 'created_at|before 2000 or in the future|1999-12-31T23:59:59Z'],
    [{ tape_time: '' }, 'tape_time|missing|'],
    [{ tape_time: '2024-03-04' }, 'tape_time|not a time|2024-03-04'],
    [{ tape_time: '2202-03-04T14:30:01Z' }, 'tape_time|before 2000 or in the future|2202-03-04T14:30:01Z'],
    [{ tape_time: '1999-12-31T23:59:59Z' }, 'tape_time|before 2000 or in the future|1999-12-31T23:59:59Z'],
    [{ meta: null }, 'meta|missing|'],
    [{ meta: '{"a": 1' }, 'meta|not JSON|{"a": 1'],
    [{ meta: [1, 2] }, 'meta|not a JSON object|[1,2]'],
    [{ meta: '"text"' }, 'meta|not a JSON object|"text"'],
  ]
  const { at, report } = await imported([...wrong.map(([more]) => alert(more)), ...good])
  expect(report).toMatchObject({ rows: 24, rejected: 24 })
  expect(at.rejects()).toEqual(wrong.map(([, fault], index) => `${index + 1}|${fault}`))
})

test('every kind of notification that the API lists is imported', async () => {
  const { rows } = await imported(
    NOTIFICATION_TYPES.map((kind, number) => alert({ id: id(number), noti_type: kind })),
  )
  expect(await rows('noti_type')).toEqual(NOTIFICATION_TYPES)
})

test('symbols, kinds and times are read in the notations of the sources', async () => {
  const { rows } = await imported([
    alert({ id: id(1), symbol: 'brk.b', noti_type: 'News', symbol_type: 'STOCK' }),
    alert({
      id: id(2).toUpperCase(),
      symbol: 'acme  240621c00050000',
      symbol_type: 'option_chain',
      created_at: '2024-03-04 23:30:00-05:00',
      tape_time: 1709562600,
    }),
    alert({ id: id(3), created_at: 1709562600123, meta: '{}', owner: 'N/A' }),
    alert({ id: id(4), owner: ' ', colour: 'red', rank: { a: 1 } }),
  ])
  // 1709562600 is 2024-03-04 14:30:00: 19786 days of 86400 seconds, 14 hours and a half.
  expect(await rows('date, created_at, tape_time, noti_type, symbol, symbol_type, meta, owner')).toEqual([
    '2024-03-04 2024-03-04 14:30:01 2024-03-04 14:30:00 news BRK.B stock {"price":"50.25"} -',
    '2024-03-05 2024-03-05 04:30:00 2024-03-04 14:30:00 stock ACME240621C00050000 option_chain {"price":"50.25"} -',
    '2024-03-04 2024-03-04 14:30:00.123 2024-03-04 14:30:00 stock ACME stock {} N/A',
    '2024-03-04 2024-03-04 14:30:01 2024-03-04 14:30:00 stock ACME stock {"price":"50.25"} -',
  ])
})

test('an alert without an id gets one from its content, so that a second import does not duplicate it', async () => {
  const { id: _, ...nameless } = alert({ owner: 'desk-east' })
  const { at, rows } = await imported([
    nameless,
    { ...nameless, name: 'renamed' },
    { ...nameless, owner: null },
  ])
  const made = (owner: string) =>
    namedUuid(`alert|${configuration(1)}|stock|ACME|stock|2024-03-04 14:30:01|2024-03-04 14:30:00|${owner}`)
  const expected = [`${made('desk-east')} renamed desk-east`, `${made('')} Acme moves -`].toSorted()
  expect(await rows('id, name, owner')).toEqual(expected)
  await at.import([at.file('again.jsonl', [JSON.stringify(nameless)])])
  expect(await rows('id, name, owner')).toEqual(expected.map(each => each.replace('renamed', 'Acme moves')))
})

// The three good rows have no id and the same content for one, so the last of them stays.
test('a CSV with a BOM, doubled quotes and additional columns is imported; a truncated row is rejected', async () => {
  const at = importingFormat('alerts')
  const row = (name: string, meta: string) =>
    `red,${configuration(1)},${name},stock,ACME,stock,2024-03-04T14:30:01Z,2024-03-04T14:30:00Z${meta}`
  const lines = [
    '\ufeffcolour,config_id,name,noti_type,symbol,symbol_type,created_at,tape_time,meta',
    row('Jos\u00e9', ',"{""price"": ""50,25""}"'),
    row('cut', ''),
    row('B', ',{}'),
    row('C', ',"{""a"": ""\u00e9""}"'),
  ]
  const report = await at.import([at.file('alerts.csv', `${lines.join('\r\n')}\r\n`)])
  expect(report.accounts).toMatchObject([{ records: 4, rows: 3, rejected: 1 }])
  expect(await at.rows('SELECT name, meta FROM bars', 'alerts')).toEqual(['C {"a": "\u00e9"}'])
  expect(at.rejects().map(each => each.split('|').slice(0, 3).join('|'))).toEqual(['3||too few fields'])
})

test('imported alerts are returned newest first, with meta as an object, without those of an owner', async () => {
  const at = importingFormat('alerts')
  await at.import([CSV])
  const service = await serveForTest(at.folder, at.lake)
  const answer = async (query: string) => {
    const { payload } = await service.server.inject({
      url: `/api/alerts${query}`,
      headers: { authorization: `Bearer ${service.token}` },
    })
    return JSON.parse(payload).data as { id: string; meta: unknown }[]
  }
  try {
    const all = await answer('')
    expect(all.map(each => each.id)).toEqual([10, 9, 8, 7, 6, 4, 2, 1].map(id))
    expect(all[3]?.meta).toEqual({ rule_name: 'RepeatedHits', total_size: 640, legs: [1, 2] })
    expect((await answer('?ticker_symbols=acme')).map(each => each.id)).toEqual([2, 1].map(id))
  } finally {
    await service.close()
  }
})

import { expect, test } from 'vitest'
import { importingFormat } from './formats.ts'

const CSV = 'data/samples/posts/posts.csv'
const LINES = 'data/samples/posts/posts.jsonl'
const ALL = 'SELECT * FROM bars ORDER BY timestamp, id'

const SAMPLE = [
  '110000000000000001 2026-02-02 2026-02-02 13:05:00 The new library in Maple County opens on Monday. Everyone is welcome!',
  '110000000000000002 2026-02-02 2026-02-02 23:59:59.999 The bridge over the Otter River did a GREAT job.\n\nThank you!',
  '110000000000000004 2026-02-03 2026-02-03 11:22:33.444 As my neighbour said: "Our national parks are the best!" I agree.',
  '110000000000000005 2026-02-03 2026-02-03 12:00:00 RT @oakdaleband: Tonight at eight.',
  '110000000000000006 2026-02-03 2026-02-03 12:30:00.5 Strawberries & cream at the fair.\nPictures: https://news.example/fair\n\nSee you there!',
  '110000000000000008 2026-02-04 2026-02-04 14:15:16.171 100%_sure: the night train is back, and on time. 🎉',
  '110000000000000009 2026-02-28 2026-02-28 22:00:00 Up 5 < 6 > 4 percent',
  '110000000000000010 2026-03-01 2026-03-01 05:06:07.08 SEE YOU IN MARCH!',
]

/** A lake into which a CSV with those records (id, created_at, text) was imported. */
async function imported(records: readonly (readonly [id: string, time: string, text: string])[]) {
  const at = importingFormat('posts')
  const lines = records.map(fields => fields.map(each => `"${each.replaceAll('"', '""')}"`).join(','))
  const report = await at.import([at.file('posts.csv', ['id,created_at,text', ...lines])])
  return { at, report, rows: await at.rows(ALL, 'posts') }
}
const TIME = '2026-02-03T12:00:00Z'
const good = Array.from({ length: 9 }, (_, number) => [String(number), TIME, 'text'] as const)

test('the sample is imported as plain text, a post without text is rejected', async () => {
  const at = importingFormat('posts')
  expect(await at.import([CSV])).toMatchObject({ rows: 8, rejected: 2, notes: [] })
  expect(await at.rows(ALL, 'posts')).toEqual(SAMPLE)
  // The second record goes on over lines 4 and 5.
  expect(at.rejects()).toEqual(['6|text|no text|', '10|text|no text|'])
})

test('JSON lines produce the same rows as the CSV, so that importing both changes nothing', async () => {
  const at = importingFormat('posts')
  await at.import([LINES])
  expect(await at.rows(ALL, 'posts')).toEqual(SAMPLE)
  expect(at.rejects()).toEqual(['3|text|no text|', '7|text|no text|'])
  expect(await at.import([CSV])).toMatchObject({ rows: 8, published: false })
})

test('HTML becomes plain text: breaks and blocks break the line, codes are read once, no tag is made up', async () => {
  const texts = {
    'a<br>b<BR />c': 'a\nb\nc',
    '<p>one</p><p>two</p>': 'one\n\ntwo',
    '<span class="h-card">@<a href="https://x.example/?a=1&b=2">dana</a></span> said': '@dana said',
    'AT&T &amp; R&D &lt;br&gt; &amp;lt; &#8217;&#x1F389; &nbsp;&hellip; &none; &#55296;':
      'AT&T & R&D <br> &lt; ’🎉  … &none; &#55296;',
    'x < y, <3 <great> a<b>c</b>': 'x < y, <3 <great> ac',
    ' \u00a0 two\u00a0words\r\nnext \n': 'two words\nnext',
  }
  const { rows } = await imported(
    Object.keys(texts).map((text, number) => [`${number}`, `2026-02-03T12:00:0${number}Z`, text]),
  )
  expect(rows.map(row => row.slice('0 2026-02-03 2026-02-03 12:00:00 '.length))).toEqual(Object.values(texts))
})

test('a text of only tags and blanks is empty', async () => {
  const { at } = await imported([
    ['20', TIME, '<p></p>'],
    ['21', TIME, '\u00a0&nbsp;<br/> '],
    ['22', TIME, '<img src="x">'],
    ...good,
  ])
  expect(at.rejects().map(each => each.split('|').slice(0, 3).join('|'))).toEqual([
    '2|text|no text',
    '3|text|no text',
    '4|text|no text',
  ])
})

test('times are read with any offset and as seconds or milliseconds, and truncated to milliseconds', async () => {
  const { rows } = await imported([
    ['1', '2026-02-03T12:00:00.123999Z', 'a'],
    ['2', '2026-02-03 12:00:00.2', 'b'],
    ['3', '2026-02-03T23:30:00.3-05:00', 'c'],
    ['4', '1770177600400', 'd'],
    ['5', '1770177605', 'e'],
  ])
  // 1770177600 is 2026-02-04 04:00:00: 20488 days of 86400 seconds and 4 hours.
  expect(rows).toEqual([
    '1 2026-02-03 2026-02-03 12:00:00.123 a',
    '2 2026-02-03 2026-02-03 12:00:00.2 b',
    '4 2026-02-04 2026-02-04 04:00:00.4 d',
    '5 2026-02-04 2026-02-04 04:00:05 e',
    '3 2026-02-04 2026-02-04 04:30:00.3 c',
  ])
})

test('a row with a missing or invalid number or time is rejected', async () => {
  const { at, report } = await imported([
    ['', TIME, 'a'],
    ['12-3', TIME, 'b'],
    ['30', '', 'c'],
    ['31', 'yesterday', 'd'],
    ['32', '2026-02-30T12:00:00Z', 'e'],
    ['33', '2202-02-03T12:00:00Z', 'f'],
    ['34', '1999-12-31T23:59:59Z', 'g'],
    ['35', '2000-01-01T00:00:00Z', 'h'],
    ...good,
  ])
  expect(report).toMatchObject({ rows: 10, rejected: 7 })
  expect(at.rejects()).toEqual([
    '2|id|missing|',
    '3|id|not a number|12-3',
    '4|created_at|missing|',
    '5|created_at|not a time|yesterday',
    '6|created_at|not a time|2026-02-30T12:00:00Z',
    '7|created_at|before 2000 or in the future|2202-02-03T12:00:00Z',
    '8|created_at|before 2000 or in the future|1999-12-31T23:59:59Z',
  ])
})

test('the later of two posts with the same number stays, also in a file with a BOM; an invalid one is rejected', async () => {
  const at = importingFormat('posts')
  const head = Buffer.from('\ufeffcontent,id,timestamp,likes\r\nfirst,7,2026-02-03T12:00:00Z,1\r\n')
  const rest = Buffer.from(
    'caf\u00e9,8,2026-02-03T12:00:01Z,1\r\nsecond,7,2026-02-03T12:00:02Z,1\r\ncut,9\r\nc,9,2026-02-03T12:00:03Z,1\r\n',
    'latin1',
  )
  const report = await at.import([at.file('posts.csv', Buffer.concat([head, rest]))])
  expect(await at.rows('SELECT id, post FROM bars ORDER BY id', 'posts')).toEqual(['7 second', '9 c'])
  expect(report.accounts).toMatchObject([{ records: 5, rows: 3, rejected: 2 }])
  expect(at.rejects().map(each => each.split('|').slice(0, 3).join('|'))).toEqual([
    '3||not UTF-8',
    '5||too few fields',
  ])
})

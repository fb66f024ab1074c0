import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveForTest } from '../../../fixtures/service.ts'
import { importingFormat } from '../formats.ts'

const FOLDER = '../shared/realdata/posts'
const CSV = join(FOLDER, 'posts_60d.csv')
const PARQUET = join(FOLDER, 'posts_60d.parquet')

/** What Python reads of the CSV; it takes the time from epoch_ms, which the import does not read. */
const PYTHON = `
import csv, json, sys
from collections import Counter
from datetime import datetime, timezone
posts = list(csv.DictReader(open(sys.argv[1], newline='', encoding='utf-8')))
kept = [post for post in posts if post['text'].strip() != '']
kept.sort(key=lambda post: (int(post['epoch_ms']), post['id']))
day = lambda post: str(datetime.fromtimestamp(int(post['epoch_ms']) / 1000, timezone.utc).date())
plain = lambda post: post['text'].replace('\\u00a0', ' ').strip()
json.dump({
    'records': len(posts),
    'by_day': sorted(map(list, Counter(map(day, kept)).items())),
    'posts': [[int(post['epoch_ms']), plain(post)] for post in kept],
    'ids': sorted(post['id'] for post in kept),
    'tariffs': sum('tariff' in plain(post).lower() for post in kept),
}, sys.stdout)
`

interface Counted {
  readonly records: number
  readonly by_day: readonly (readonly [string, number])[]
  readonly posts: readonly (readonly [number, string])[]
  readonly ids: readonly string[]
  readonly tariffs: number
}

test.skipIf(!existsSync(FOLDER))(
  'the posts of ../shared/realdata are in the lake as python3 reads them, the same from CSV and Parquet',
  { tags: 'slow' },
  async () => {
    const counted: Counted = JSON.parse(
      execFileSync('python3', ['-c', PYTHON, CSV], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
    )
    const at = importingFormat('posts')
    const report = await at.import([CSV])
    expect(report.accounts).toMatchObject([
      {
        records: counted.records,
        rows: counted.posts.length,
        rejected: counted.records - counted.posts.length,
      },
    ])
    expect([counted.records, counted.posts.length]).toEqual([1341, 967])
    expect(await at.rows('SELECT date, count(*) FROM bars GROUP BY ALL ORDER BY ALL', 'posts')).toEqual(
      counted.by_day.map(each => each.join(' ')),
    )
    expect(await at.rows('SELECT id FROM bars ORDER BY id', 'posts')).toEqual(counted.ids)
    expect(
      await at.rows('SELECT epoch_ms(timestamp), post FROM bars ORDER BY timestamp, id', 'posts'),
    ).toEqual(counted.posts.map(each => each.join(' ')))

    const all = await at.rows('SELECT * FROM bars ORDER BY id', 'posts')
    expect(await at.import([PARQUET])).toMatchObject({ rows: 967, rejected: 374, published: false })
    const other = importingFormat('posts')
    await other.import([PARQUET])
    expect(await other.rows('SELECT * FROM bars ORDER BY id', 'posts')).toEqual(all)

    const service = await serveForTest(at.folder, at.lake)
    try {
      const answer = async (url: string) => {
        const { statusCode, payload } = await service.server.inject({
          url,
          headers: { authorization: `Bearer ${service.token}` },
        })
        expect(statusCode).toBe(200)
        return JSON.parse(payload).data as { post: string; timestamp: number }[]
      }
      const newest = await answer('/api/potus/posts?limit=200')
      const pages = [
        newest,
        ...(await Promise.all([1, 2, 3, 4].map(page => answer(`/api/potus/posts?page=${page}`)))),
      ]
      expect(pages.flat().map(({ post, timestamp }) => [timestamp, post])).toEqual(
        counted.posts.toSorted((a, b) => b[0] - a[0]),
      )
      expect((await answer('/api/potus/posts?search_term=TARIFF')).length).toBe(
        Math.min(200, counted.tariffs),
      )
    } finally {
      await service.close()
    }
  },
)

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { files } from '../../../../src/engine/bind.ts'
import type { Writer } from '../../../../src/engine/writer.ts'
import { verify } from '../../../../src/lake/maintain/verify.ts'
import { loadSnapshot } from '../../../../src/lake/store/snapshot.ts'
import { folderForTest } from '../../../fixtures/lake.ts'
import { chains, change, SESSIONS, trades } from '../../../lake/derive/derived-lake.ts'
import { silent, writerForTest } from '../../../lake/store/days.ts'
import { derivedFrom, trade } from '../option-tape.ts'

const CALL = 'ACME251219C00100000'

/** Starts of the intervals of trades at these times of one day, UTC. */
async function startsOf(date: string, times: readonly string[]): Promise<string[]> {
  const tape = times.map((time, index) => trade(CALL, index, `${date} ${time}`, 1, 1, 'mid'))
  const rows = await derivedFrom('chain_frags', { from: date, to: date }, { option_trades: tape })
  return rows.map(row => String(row.start_time).replace(`${date} `, ''))
}

const NEW_YORK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
})
const inNewYork = (date: string, time: string) => NEW_YORK.format(new Date(`${date}T${time}Z`))

describe('an interval', () => {
  test('begins with the microsecond on its boundary and ends with the one before the next', async () => {
    expect(
      await startsOf('2024-01-03', ['15:04:59.999999', '15:05:00', '15:09:59.999999', '15:10:00']),
    ).toEqual(['15:00:00', '15:05:00', '15:10:00'])
  })

  // The clocks changed on 2024-03-10 and 2024-11-03. Columns: a trade's time, its interval and that in New York.
  test.each([
    ['2024-01-03', '14:30:00', '14:30:00', '09:30'],
    ['2024-03-08', '14:30:00', '14:30:00', '09:30'],
    ['2024-03-08', '20:59:59.999999', '20:55:00', '15:55'],
    ['2024-03-11', '13:30:00.000001', '13:30:00', '09:30'],
    ['2024-03-11', '19:59:59.999999', '19:55:00', '15:55'],
    ['2024-07-01', '16:07:31.25', '16:05:00', '12:05'],
    ['2024-11-01', '13:34:59', '13:30:00', '09:30'],
    ['2024-11-01', '20:14:59', '20:10:00', '16:10'],
    ['2024-11-04', '14:29:59.999999', '14:25:00', '09:25'],
    ['2024-11-04', '21:00:00', '21:00:00', '16:00'],
    // Closes at 13:00.
    ['2024-11-29', '17:59:59.999999', '17:55:00', '12:55'],
    ['2024-11-29', '18:00:00', '18:00:00', '13:00'],
    ['2024-07-03', '16:59:59.999999', '16:55:00', '12:55'],
  ])('of %s %s UTC starts at %s, which is %s in New York', async (date, time, start, newYork) => {
    expect(await startsOf(date, [time])).toEqual([start])
    expect(inNewYork(date, start)).toBe(newYork)
  })

  test('belongs to the trading day of its trades', async () => {
    // 19:59:30 in New York is the next day's first minute in UTC.
    const late = trade(CALL, 1, '2024-01-04 00:59:30', 1, 2, 'ask', { date: '2024-01-03' })
    const early = trade(CALL, 2, '2024-01-03 14:30:00', 1, 3, 'ask')
    const rows = await derivedFrom(
      'chain_frags',
      { from: '2024-01-03', to: '2024-01-03' },
      { option_trades: [late, early] },
    )
    expect(rows.map(row => [row.date, row.start_time, row.total_volume])).toEqual([
      ['2024-01-03', '2024-01-03 14:30:00', '3'],
      ['2024-01-03', '2024-01-04 00:55:00', '5'],
    ])
  })

  test('before the year 2000 starts on the boundary before it', async () => {
    expect(await startsOf('1999-12-31', ['20:59:59.999999'])).toEqual(['20:55:00'])
  })
})

describe('in a lake', () => {
  const [, second = '', third = ''] = SESSIONS

  async function stored(writer: Writer, lake: string): Promise<string[]> {
    const paths = (await loadSnapshot(lake)).files('chain_frags').map(({ path }) => path)
    const rows = await writer.rows(
      `SELECT concat_ws(' ', start_time, close, total_volume) AS row
       FROM read_parquet($paths, hive_partitioning = false) ORDER BY start_time`,
      { paths: files(paths) },
    )
    return rows.map(({ row }) => String(row))
  }
  const ordinary = (day: string) => `${day} 14:40:00 2.1000 10`
  async function lakeOfSessions() {
    const lake = join(folderForTest(), 'lake')
    const writer = await writerForTest(lake)
    const computed = await change(writer, lake, { option_trades: trades(SESSIONS) })
    return { lake, writer, computed }
  }

  test('a changed day of trades recomputes the frags of that day and of no other', {
    tags: 'slow',
  }, async () => {
    const { lake, writer, computed } = await lakeOfSessions()
    expect(computed.chain_frags).toEqual(SESSIONS)
    expect(await stored(writer, lake)).toEqual(SESSIONS.map(ordinary))

    const dearer = trades(SESSIONS).split(' UNION ALL ')[1]?.replace('2.1 AS price', '2.2 AS price') ?? ''
    const again = await change(writer, lake, { option_trades: dearer })
    expect(again.chain_frags).toEqual([second])
    expect(await stored(writer, lake)).toEqual(
      SESSIONS.map(day => (day === second ? `${day} 14:40:00 2.2000 10` : ordinary(day))),
    )
    expect((await verify(writer, lake, silent)).stale).toEqual(new Map())
  })

  test('frags do not depend on the chain, and a day with only canceled trades has none', {
    tags: 'slow',
  }, async () => {
    const { lake, writer } = await lakeOfSessions()
    const chained = await change(writer, lake, { option_chain_days: chains({ [third]: 7 }) })
    expect(chained).toHaveProperty('contract_days')
    expect(chained).not.toHaveProperty('chain_frags')

    const canceled =
      trades(SESSIONS).split(' UNION ALL ')[2]?.replace('false AS canceled', 'true AS canceled') ?? ''
    expect((await change(writer, lake, { option_trades: canceled })).chain_frags).toEqual([third])
    expect(await stored(writer, lake)).toEqual(SESSIONS.filter(day => day !== third).map(ordinary))
    expect(await change(writer, lake, {})).toEqual({})
  })
})

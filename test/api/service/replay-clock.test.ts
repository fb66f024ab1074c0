import { describe, expect, test } from 'vitest'
import {
  positionAt,
  replayEnvironment,
  replayFromEnvironment,
  tapeOf,
} from '../../../src/api/service/replay-clock.ts'

/** New York time is UTC-5 in winter and UTC-4 in summer. */
const at = (text: string) => Date.parse(text)

describe('a tape', () => {
  test('runs from 9:30 in New York to the close of the last interval', () => {
    const winter = tapeOf('2024-01-18', at('2024-01-18T14:31:02Z'), at('2024-01-18T20:59:59.999Z'))
    expect([winter.firstMs, winter.endMs - 1]).toEqual([
      at('2024-01-18T14:30:00Z'),
      at('2024-01-18T21:00:00Z'),
    ])
    const summer = tapeOf('2024-07-18', at('2024-07-18T13:30:00Z'), at('2024-07-18T20:00:00Z'))
    // A trade at the start of an interval belongs to that interval.
    expect([summer.firstMs, summer.endMs - 1]).toEqual([
      at('2024-07-18T13:30:00Z'),
      at('2024-07-18T20:05:00Z'),
    ])
  })

  test('begins with the interval of a trade before the open', () => {
    const early = tapeOf('2024-01-18', at('2024-01-18T13:17:30Z'), at('2024-01-18T21:00:00Z'))
    expect(early.firstMs).toBe(at('2024-01-18T13:15:00Z'))
  })
})

describe('the clock', () => {
  // A tape of 100 s at 10 times the speed: 10 s, then 5 s of pause.
  const tape = { date: '2024-01-18', firstMs: 500_000, endMs: 600_000, begunMs: 1000 }
  test.each([
    [0, 0, 500_000],
    [1000, 0, 500_000],
    [1001, 0, 500_010],
    [6000, 0, 550_000],
    [10_999, 0, 599_990],
    [11_000, 0, 600_000],
    [15_999, 0, 600_000],
    [16_000, 1, 500_000],
    [17_000, 1, 510_000],
    [1000 + 7 * 15_000, 7, 500_000],
  ])('at %i ms is in lap %i at %i', (nowMs, lap, tapeMs) => {
    expect(positionAt(tape, { speed: 10 }, nowMs)).toEqual({ date: '2024-01-18', lap, tapeMs })
  })
})

describe('a worker', () => {
  const configured = { date: null, begunMs: 2000, speed: 60 }
  test('gets the start of the replay from its supervisor', () => {
    const environment = replayEnvironment({ begunMs: 1234 })
    expect(replayFromEnvironment(configured, environment)).toEqual({ ...configured, begunMs: 1234 })
    expect(replayFromEnvironment({ ...configured, date: '2024-01-17' }, environment).date).toBe('2024-01-17')
  })
  test('uses its own settings if the environment has none', () => {
    expect(replayFromEnvironment(configured, {})).toEqual(configured)
    expect(replayFromEnvironment(configured, { REPLAY_BEGUN_MS: 'soon' })).toEqual(configured)
    expect(replayFromEnvironment(configured, replayEnvironment({ ...configured, begunMs: 7 }))).toEqual({
      ...configured,
      begunMs: 7,
    })
  })
})

import { describe, expect, test } from 'vitest'
import { loadedAhead, type Slice, slicesOf } from '../../src/stream/slices.ts'

const MINUTES_5 = 300_000
const at = (interval: number) => interval * MINUTES_5

describe('slices', () => {
  test('are whole intervals of at most so many messages together, or one that alone has more', () => {
    const intervals = [
      { startMs: at(0), messages: 40 },
      { startMs: at(1), messages: 60 },
      { startMs: at(2), messages: 1 },
      { startMs: at(3), messages: 500 },
      { startMs: at(4), messages: 100 },
    ]
    expect(slicesOf(intervals, 100)).toEqual([
      { fromMs: at(0), toMs: at(2), messages: 100 },
      { fromMs: at(2), toMs: at(3), messages: 1 },
      { fromMs: at(3), toMs: at(4), messages: 500 },
      { fromMs: at(4), toMs: at(5), messages: 100 },
    ])
  })

  test('begin and end with intervals that hold messages', () => {
    const silence = [
      { startMs: at(3), messages: 90 },
      { startMs: at(200), messages: 20 },
    ]
    expect(slicesOf(silence, 100)).toEqual([
      { fromMs: at(3), toMs: at(4), messages: 90 },
      { fromMs: at(200), toMs: at(201), messages: 20 },
    ])
    expect(slicesOf([], 100)).toEqual([])
  })
})

const three: readonly Slice[] = [0, 1, 2].map(index => ({
  fromMs: at(index),
  toMs: at(index + 1),
  messages: 1,
}))
const never = new AbortController().signal
const settled = () => new Promise(resolve => setImmediate(resolve))

describe('a tape that is loaded ahead', () => {
  test('has one slice more than the one in use, however long that is used', async () => {
    const loads: number[] = []
    const load = async ({ fromMs }: Slice) => {
      loads.push(fromMs)
      return fromMs
    }
    const seen: number[][] = []
    for await (const loaded of loadedAhead(three, load, never)) {
      for (let turn = 0; turn < 20; turn += 1) await settled()
      seen.push([loaded, loads.length])
    }
    expect(seen).toEqual([
      [at(0), 2],
      [at(1), 3],
      [at(2), 3],
    ])
    expect(loads).toEqual([at(0), at(1), at(2)])
  })

  test('aborts and awaits the load under way when it is left early', async () => {
    let ended = 0
    const load = ({ fromMs }: Slice, signal: AbortSignal) =>
      fromMs === 0
        ? Promise.resolve(fromMs)
        : new Promise<number>((_, reject) => {
            signal.addEventListener('abort', () => {
              ended += 1
              reject(signal.reason)
            })
          })
    for await (const first of loadedAhead(three, load, never)) {
      expect(first).toBe(0)
      break
    }
    expect(ended).toBe(1)
  })

  test('rejects with a failed load in its turn', async () => {
    const load = async ({ fromMs }: Slice) => {
      if (fromMs === at(1)) throw new Error('no such file')
      return fromMs
    }
    const seen: number[] = []
    const all = async () => {
      for await (const loaded of loadedAhead(three, load, never)) {
        await settled()
        seen.push(loaded)
      }
    }
    await expect(all()).rejects.toThrow('no such file')
    expect(seen).toEqual([0])
  })
})

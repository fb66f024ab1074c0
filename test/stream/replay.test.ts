import { sizeDelimitedDecodeStream } from '@bufbuild/protobuf/wire'
import { describe, expect, test } from 'vitest'
import { bytesOf } from '../../src/stream/delimited.ts'
import { columnsOf, type MessageColumns, writerOf } from '../../src/stream/messages.ts'
import { type Clock, type Run, replay, type Speed } from '../../src/stream/replay.ts'
import { ChainFragSchema } from '../../src/stream/tapehouse_pb.ts'
import { fragTable } from './tables.ts'

const never = new AbortController().signal

/** Frags that are due at these milliseconds of tape time, five minutes after their start. */
async function dueAt(...times: readonly number[]): Promise<MessageColumns> {
  const frags = times.map((time, index) => ({
    option_symbol: `C${index}`,
    start_time: BigInt(time) - 300_000n,
    tape_time: 0n,
    premium: '1',
  }))
  return columnsOf('chain_frags', await fragTable(frags))
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

/** A clock that advances only in waits and by `pass`. `waits` has the length of each wait, in milliseconds. */
function handClock(): Clock & { readonly waits: number[]; pass(ms: number): void } {
  let now = 5000
  const waits: number[] = []
  return {
    waits,
    now: () => now,
    pass: ms => {
      now += ms
    },
    until: async wallMs => {
      if (wallMs > now) waits.push(wallMs - now)
      now = Math.max(now, wallMs)
    },
  }
}

/** Runs as [wall time since the first, rows from, to]. */
async function runs(
  loads: readonly MessageColumns[],
  speed: Speed,
  clock = handClock(),
  use: (run: Run<MessageColumns>) => void = () => {},
): Promise<[number, number, number][]> {
  const begun = clock.now()
  const seen: [number, number, number][] = []
  for await (const run of replay(each(loads), speed, clock, never)) {
    seen.push([clock.now() - begun, run.from, run.to])
    use(run)
  }
  return seen
}

describe('a replay', () => {
  test('sends the first message at once and the others at the distance they had', async () => {
    const loads = [await dueAt(600_000, 600_000, 900_000), await dueAt(900_000, 1_500_000)]
    expect(await runs(loads, 1)).toEqual([
      [0, 0, 2],
      [300_000, 2, 3],
      [300_000, 0, 1],
      [900_000, 1, 2],
    ])
  })

  test('at sixty times the speed takes a sixtieth of the time', async () => {
    const loads = [await dueAt(600_000, 900_000, 1_200_000)]
    expect(await runs(loads, 60)).toEqual([
      [0, 0, 1],
      [5000, 1, 2],
      [10_000, 2, 3],
    ])
  })

  test('as fast as it goes waits for nothing', async () => {
    const clock = handClock()
    const loads = [await dueAt(0, 300_000), await dueAt(), await dueAt(9_000_000)]
    expect(await runs(loads, 'max', clock)).toEqual([
      [0, 0, 2],
      [0, 0, 1],
    ])
    expect(clock.waits).toEqual([])
  })

  test('sends a slow reader all messages that became due in the meantime, and then continues on time', async () => {
    const clock = handClock()
    const loads = [await dueAt(0, 1000, 2000, 3000, 10_000)]
    const slow = await runs(loads, 1, clock, ({ from }) => {
      if (from === 0) clock.pass(2500)
    })
    expect(slow).toEqual([
      [0, 0, 1],
      [2500, 1, 3],
      [3000, 3, 4],
      [10_000, 4, 5],
    ])
  })

  test('ends with the signal’s reason', async () => {
    const controller = new AbortController()
    const clock: Clock = {
      now: () => 0,
      until: async (_, signal) => signal.throwIfAborted(),
    }
    const begun = replay(each([await dueAt(0, 1000)]), 1, clock, controller.signal)
    expect((await begun.next()).value).toMatchObject({ from: 0, to: 1 })
    controller.abort(new Error('enough'))
    await expect(begun.next()).rejects.toThrow('enough')
  })
})

describe('the delimited form', () => {
  async function read(bytes: Uint8Array): Promise<string[]> {
    const sent: string[] = []
    for await (const { optionSymbol, startTime } of sizeDelimitedDecodeStream(ChainFragSchema, each([bytes])))
      sent.push(`${optionSymbol} ${startTime}`)
    return sent
  }

  test('is what the protobuf runtime reads as such, message by message and in order', async () => {
    const messages = await dueAt(...Array.from({ length: 50 }, (_, index) => 300_000 + index))
    const bytes = bytesOf(writerOf(messages), 'protobuf', 1, 50)
    expect(await read(bytes)).toEqual(Array.from({ length: 49 }, (_, index) => `C${index + 1} ${index + 1}`))
  })

  test('has memory of its own, whatever is written afterwards', async () => {
    const writer = writerOf(await dueAt(300_000, 300_001))
    const first = bytesOf(writer, 'protobuf', 0, 1)
    const second = bytesOf(writer, 'protobuf', 1, 2)
    expect([await read(first), await read(second)]).toEqual([['C0 0'], ['C1 1']])
    expect(first.buffer.byteLength).toBe(first.length)
  })

  // Field 1 is a byte of tag, its length and the letters: 203 is 0xcb 0x01 and 20,004 is 0xa4 0x9c 0x01.
  test.each([
    [200, [0xcb, 0x01, 0x0a, 0xc8, 0x01]],
    [20_000, [0xa4, 0x9c, 0x01, 0x0a, 0xa0, 0x9c, 0x01]],
  ])('has a length of several bytes in front of a message of more than %d', async (letters, front) => {
    const symbol = 'x'.repeat(letters)
    const table = await fragTable([{ option_symbol: symbol, start_time: 0n, tape_time: 0n }])
    const bytes = bytesOf(writerOf(columnsOf('chain_frags', table)), 'protobuf', 0, 1)
    expect(Buffer.from(bytes)).toEqual(Buffer.concat([Buffer.from(front), Buffer.from(symbol)]))
  })
})

import { type DuckDBConnection, DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { deadline, runUntil } from '../../../src/engine/deadline.ts'
import { openHere } from '../../../src/engine/running/here.ts'

let instance: DuckDBInstance
let connection: DuckDBConnection
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  connection = await instance.connect()
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

/** A tenth of a second, in many tasks. */
const LONG = 'SELECT count(*) FILTER (sqrt(range) < 1000) AS n FROM range(2000000)'
const SHORT = 'SELECT sum(range) AS n FROM range(1000)'

/** The event loop has passed once. */
const nextPass = () => new Promise(resolve => setImmediate(resolve))

/** Whether a timer of 1 ms could run before the statement ended. */
async function letsOthersRun(run: () => Promise<unknown>): Promise<boolean> {
  let isEnded = false
  let ran = false
  setTimeout(() => {
    ran = !isEnded
  }, 1)
  await run()
  isEnded = true
  return ran
}

describe('statements in this thread', () => {
  test('give the result of any other thread', async () => {
    const statement = await connection.prepare(SHORT)
    const here = openHere()
    for (let time = 0; time < 3; time += 1) {
      const result = await here.run(statement, SHORT)
      expect(await result.getRowObjectsJson()).toEqual([{ n: '499500' }])
    }
  })

  test('are ended by another thread if they take long', async () => {
    const statement = await connection.prepare(LONG)
    const begun = vi.spyOn(statement, 'start')
    const here = openHere(5)
    const run = async () => {
      const result = await here.run(statement, LONG)
      expect(await result.getRowObjectsJson()).toEqual([{ n: '1000000' }])
    }
    // The first time it runs on another thread in any case.
    for (let time = 0; time < 2; time += 1) {
      await nextPass()
      expect(await letsOthersRun(run)).toBe(true)
    }
    const beginsHere = async (times: number) => {
      const begins: number[] = []
      for (let time = 0; time < times; time += 1) {
        await nextPass()
        const before = begun.mock.calls.length
        await run()
        begins.push(begun.mock.calls.length - before)
      }
      return begins
    }
    // Known to be long after three runs here, it is tried again after 4, 8 and 16 on another thread.
    expect(await beginsHere(16)).toEqual([1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    // Short the next time it is tried, it is not known to be long any more.
    const short = await connection.prepare(SHORT)
    for (let time = 0; time < 17; time += 1) {
      await nextPass()
      await here.run(short, LONG)
    }
    expect(await beginsHere(8)).toEqual([1, 1, 1, 0, 0, 0, 0, 1])
  })

  test('wait for the next pass of the event loop if the first one of this pass began half of that time ago', async () => {
    const here = openHere(200)
    const others = await Promise.all(Array.from({ length: 4 }, () => instance.connect()))
    const statements = await Promise.all(others.map(other => other.prepare(SHORT)))
    await here.run(statements[0] as DuckDBPreparedStatement, SHORT)
    let passes = 0
    const beganIn: number[] = []
    for (const [index, statement] of statements.entries()) {
      const start = statement.start.bind(statement)
      vi.spyOn(statement, 'start').mockImplementation(() => {
        beganIn.push(passes)
        // The second and the third one take half of the time that a statement may take here.
        if (index === 1 || index === 2)
          for (const until = performance.now() + 100; performance.now() < until; );
        return start()
      })
    }
    await nextPass()
    const count = () => {
      passes += 1
      counter = setImmediate(count)
    }
    let counter = setImmediate(count)
    const results = await Promise.all(statements.map(statement => here.run(statement, SHORT)))
    clearImmediate(counter)
    for (const result of results) expect(await result.getRowObjectsJson()).toEqual([{ n: '499500' }])
    const [first = 0, second, third = 0, fourth] = beganIn
    expect(second).toBe(first)
    expect(third).toBeGreaterThan(first)
    expect(fourth).toBeGreaterThan(third)
    for (const other of others) other.closeSync()
  })

  test('can be interrupted after they have gone to another thread', async () => {
    const statement = await connection.prepare(
      'SELECT sum(a.range * b.range) FROM range(10000000) a, range(100000) b',
    )
    const here = openHere(5)
    await here.run(await connection.prepare(SHORT), 'endless')
    const limit = deadline(50)
    const running = runUntil(connection, () => here.run(statement, 'endless'), limit.signal)
    await expect(running.result).rejects.toMatchObject({ code: 'deadline_exceeded' })
    await running.ended
    limit.clear()
  })

  test('fail as they fail on another thread', async () => {
    const sql = "SELECT error('broken ' || range) AS n FROM range(3)"
    const statement = await connection.prepare(sql)
    const here = openHere()
    const fails = () => here.run(statement, sql).catch((thrown: Error) => thrown.message)
    const elsewhere = await fails()
    expect(elsewhere).toContain('broken 0')
    expect(await fails()).toBe(elsewhere)
    // The connection can be used again.
    const after = await connection.prepare(SHORT)
    expect((await openHere().run(after, SHORT)).rowCount).toBe(1)
  })
})

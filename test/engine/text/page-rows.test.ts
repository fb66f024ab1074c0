import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bindings, bindAll, integer } from '../../../src/engine/bind.ts'
import { encodedIn } from '../../../src/engine/encode/encoded.ts'
import { type Page, rowsOfTemplate } from '../../../src/engine/encode/page.ts'
import { jsonRowsSql } from '../../../src/engine/encode/sql.ts'
import { encodeRows } from '../../../src/engine/text/rows.ts'
import { randomRuns } from '../../fixtures/tier.ts'
import { columnsOf, openConnection } from '../encode/answers.ts'

test('a page of few rows is the page that the SQL of pages computes', async () => {
  const connection = await openConnection()
  const seconds = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 12 })
  const runs = randomRuns(60)
  await fc.assert(
    fc.asyncProperty(
      seconds,
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      fc.option(fc.record({ time: fc.integer({ min: 0, max: 5 }), passed: fc.integer({ min: 0, max: 3 }) })),
      async (times, rows, isTimed, place) => {
        const after =
          place && isTimed ? { time: BigInt(place.time) * 1_000_000n, passed: place.passed } : null
        const page: Page = { rows, time: isTimed ? 'seen' : null, after }
        const until = after === null ? 9 : Number(after.time / 1_000_000n)
        const template = `SELECT make_timestamp(second * 1000000) AS seen, id
          FROM (SELECT unnest(${JSON.stringify(times)}::BIGINT[]) AS second, unnest(range(${times.length})) AS id)
          WHERE second <= ${until} ORDER BY seen DESC, id LIMIT ${rowsOfTemplate(page)}`
        const columns = await columnsOf(connection, template)
        const statement = await connection.prepare(jsonRowsSql(template, columns, { page }))
        const values: Bindings = {
          page_rows: integer(rows),
          page_after: integer(after?.time ?? null),
          page_passed: integer(after?.passed ?? 0),
        }
        bindAll(statement, values)
        const engine = encodedIn(await statement.run(), page)
        const here = encodeRows(await connection.run(template), columns, 'json', { page })
        expect({ ...here, bytes: Buffer.from(here?.bytes ?? []).toString() }).toEqual({
          ...engine,
          bytes: Buffer.from(engine.bytes).toString(),
        })
      },
    ),
    { numRuns: runs },
  )
})

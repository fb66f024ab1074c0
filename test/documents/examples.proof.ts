import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readExample } from '../../src/api/openapi/examples.ts'
import { SETTINGS } from '../../src/cli/command/settings.ts'
import { examine } from '../../src/cli/smoke/answer.ts'
import { openWriter } from '../../src/engine/writer.ts'
import { generate } from '../../src/lake/generate/generate.ts'
import { operations } from '../../src/operations/index.ts'
import { document, documented } from '../fixtures/document.ts'
import { temporaryFolder } from '../fixtures/lake.ts'
import { openService, type TestService } from '../fixtures/service.ts'

/**
 * The examples of the documents find records in the demo. Its market is generated here with fewer days, but not with as
 * many as that of the examples: the records of its last day are those of the demo.
 */

const folder = temporaryFolder()
let service: TestService

beforeAll(async () => {
  const lake = join(folder, 'lake')
  const writer = await openWriter({ directories: [folder] })
  try {
    const { demoTickers, demoTrades } = SETTINGS
    const market = { seed: 1, days: 4, tickers: demoTickers.default, tradesPerDay: demoTrades.default }
    await generate(writer, lake, market, () => {})
  } finally {
    writer.close()
  }
  service = await openService(folder, lake)
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

async function rowsOf(id: string, url: string): Promise<number> {
  const response = await service.server.inject({ url, headers: { authorization: `Bearer ${service.token}` } })
  expect(response.statusCode, `${url}: ${response.body.slice(0, 300)}`).toBe(200)
  const operation = operations.find(each => each.id === id) ?? expect.fail(`${id} is no operation`)
  return examine(operation, response.json()).rows
}

describe.each(documented)('of $id', ({ id, path, parameters }) => {
  test('the example request finds records in the demo', async () => {
    expect(await rowsOf(id, readExample(id)?.request ?? '')).toBeGreaterThan(0)
  })

  test('the examples of the required parameters find records in the demo', async () => {
    const required = parameters.filter(each => each.required)
    const filled = required.reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    )
    const query = new URLSearchParams(
      required
        .filter(each => each.in === 'query')
        .map(({ name, example }): [string, string] => [name, String(example)]),
    )
    expect(await rowsOf(id, `${filled}?${query}`)).toBeGreaterThan(0)
  })
})

test('every operation is documented', () => {
  expect(Object.keys(document.paths)).toHaveLength(operations.length + 1)
})

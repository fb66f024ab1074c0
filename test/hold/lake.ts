import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { busyLake } from '../fixtures/busy-contract.ts'
import { flatDay, makeLake, temporaryFolder } from '../fixtures/lake.ts'
import { flowPath } from '../fixtures/streaming.ts'

const SYMBOLS = Array.from({ length: 20 }, (_, index) => `S${String.fromCharCode(65 + index)}`)
const PRICES = ['100', '125', '120']

/**
 * For the tests of one file: a lake with 20 stocks, and a contract whose trades are a long answer, in a folder for more files.
 */
export function holdLake(): { readonly folder: string; readonly lake: string } {
  const folder = temporaryFolder()
  beforeAll(async () => {
    const days = SYMBOLS.flatMap(symbol =>
      PRICES.map((price, index) => flatDay(symbol, `2024-01-0${index + 2}`, price)),
    )
    await makeLake(folder, { days })
    await busyLake(folder, 40_000)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return { folder, lake: join(folder, 'lake') }
}

/** A request of few rows. */
export const light = (index: number) =>
  `/api/analytics/window?symbols=${SYMBOLS[index % SYMBOLS.length]}&range=full&calculations=MEAN`

/** 50 histograms of 20 stocks: the longest answer there is, of 20 MB. Each `variant`, up to 500, is another request. */
export const heavy = (variant = 0) =>
  `/api/analytics/window?symbols=${SYMBOLS}&range=full&calculations=${Array.from({ length: 50 }, (_, index) => `HISTOGRAM(bins=${1000 - variant - index})`)}`

/** A long answer, which is sent page by page. */
export const long = flowPath

/** The bytes of a request. */
export const requestOf = (path: string, token: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`

import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isGenerated } from '../../lake/generate/generate.ts'
import type { MarketOptions } from '../../lake/generate/market.ts'
import { previewOf } from '../../lake/generate/preview.ts'
import type { Settings } from '../command/settings.ts'
import { generateInto } from './generate.ts'

/**
 * What a folder holds of a demo: nothing; the first sessions, because the rest was interrupted; all of it; or something
 * else, such as a demo with other options.
 */
export type DemoState = 'absent' | 'begun' | 'complete' | 'other'

const SEED = 1

/** The market of a demo. */
export const marketOf = ({ demoDays, demoTickers, demoTrades }: Settings): MarketOptions => ({
  seed: SEED,
  days: demoDays,
  tickers: demoTickers,
  tradesPerDay: demoTrades,
})

export async function demoState(settings: Settings): Promise<DemoState> {
  const lake = resolve(settings.lake)
  if (!existsSync(join(lake, 'CURRENT'))) return 'absent'
  const market = marketOf(settings)
  if (await isGenerated(lake, market)) return 'complete'
  return (await isGenerated(lake, previewOf(market))) ? 'begun' : 'other'
}

/** Generates what can be served in seconds. */
export async function beginDemo(settings: Settings): Promise<void> {
  await mkdir(resolve(settings.lake), { recursive: true })
  await generateInto(settings, previewOf(marketOf(settings)))
}

/** Generates the whole demo, which replaces the first sessions. */
export async function completeDemo(settings: Settings): Promise<void> {
  await mkdir(resolve(settings.lake), { recursive: true })
  await generateInto(settings, marketOf(settings))
}

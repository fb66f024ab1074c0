import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { currentMark, type Marked, markOf, readMark } from '../../lake/generate/mark.ts'
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

/** The flags of a demo, with the options that they set. */
const FLAGS = [
  ['--demo-days', 'days'],
  ['--demo-tickers', 'tickers'],
  ['--demo-trades', 'tradesPerDay'],
] as const satisfies readonly (readonly [flag: string, option: keyof MarketOptions])[]

/** The market of a demo. */
const marketOf = ({ demoDays, demoTickers, demoTrades }: Settings): MarketOptions => ({
  seed: SEED,
  days: demoDays,
  tickers: demoTickers,
  tradesPerDay: demoTrades,
})

export async function demoState(settings: Settings): Promise<DemoState> {
  const mark = await currentMark(settings.lake)
  const market = marketOf(settings)
  if (mark === undefined) return 'absent'
  if (mark === markOf(market)) return 'complete'
  return mark === markOf(previewOf(market)) ? 'begun' : 'other'
}

/** Why a lake is no demo with these settings, and what to do, in one line. */
export async function whyOther(settings: Settings): Promise<string> {
  const { lake } = settings
  const mark = await currentMark(lake)
  if (mark === undefined || mark === null)
    return `${lake} holds imported data, and is served as it is: choose another folder with --lake for a demo`
  const marked = readMark(mark)
  const differing = marked === null ? [] : differences(marked, marketOf(settings))
  const verb = marked?.isPreview ? 'begun' : 'generated'
  const how = differing.length > 0 ? `with ${differing.join(', and ')}` : 'by another version of tapehouse'
  const unfinished = marked?.isPreview ? ' and not completed' : ''
  return `${lake} was ${verb} ${how}${unfinished}, and is served as it is: add --remake to generate it again`
}

/** What differs between the options of a lake and those of a demo, with both values: `--demo-days 30, not 5`. */
function differences({ options }: Marked, wanted: MarketOptions): string[] {
  const seed = options.seed === SEED ? [] : [`seed ${options.seed}, not ${SEED}`]
  const flags = FLAGS.filter(([, option]) => options[option] !== wanted[option]).map(
    ([flag, option]) => `${flag} ${options[option]}, not ${wanted[option]}`,
  )
  return [...seed, ...flags]
}

/** Generates what can be served in seconds. */
export async function beginDemo(settings: Settings): Promise<void> {
  await mkdir(resolve(settings.lake), { recursive: true })
  await generateInto(settings, previewOf(marketOf(settings)))
}

/** Generates the whole demo, which replaces the first sessions, from where it was interrupted. */
export async function completeDemo(settings: Settings): Promise<void> {
  await generateInto(settings, marketOf(settings), { keeps: true })
}

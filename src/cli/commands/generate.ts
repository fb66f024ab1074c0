import { type Generated, generate } from '../../lake/generate/generate.ts'
import { MARKET_BOUNDS, type MarketOptions } from '../../lake/generate/market.ts'
import { assertOnlyFlags, usage } from '../command/arguments.ts'
import type { Command, Flag } from '../command/command.ts'
import { withWriter } from '../command/maintenance.ts'
import type { Settings } from '../command/settings.ts'
import { counted } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'

/** Flags with the options that they set. */
const AMOUNTS = {
  seed: { option: 'seed', value: 'S', default: '1', help: 'Seed of the random numbers.' },
  days: {
    option: 'days',
    value: 'D',
    default: '30',
    help: 'Number of trading days with options. The last one is 2024-12-31.',
  },
  tickers: { option: 'tickers', value: 'T', default: '50', help: 'Number of fictional tickers.' },
  'trades-per-day': {
    option: 'tradesPerDay',
    value: 'N',
    default: '100000',
    help: 'Number of option trades per day, across all tickers.',
  },
} as const satisfies Record<string, Flag & { option: keyof MarketOptions }>

export const generateCommand: Command = {
  name: 'generate',
  usage: '[flags]',
  details:
    'Generates a consistent synthetic market: stocks with 260 trading days of history, option chains and trades, and every other dataset. The same flags generate the same rows, with any number of threads. Replaces a lake of generated data, but never a lake of imported data.',
  examples: ['tapehouse generate --seed 7 --days 5 --tickers 20 --trades-per-day 50000 --lake data/market'],
  defaults: () => ({ memoryMib: GENERATION_MIB }),
  settings: ['lake', 'memoryMib', 'threads'],
  flags: AMOUNTS,
  run: async ({ positionals, settings, flags }) => {
    assertOnlyFlags(generateCommand, positionals)
    const options = optionsOf(flags)
    const { snapshot, rows, from, to } = await generateInto(settings, options, {
      memoryMib: settings.memoryMib,
    })
    const total = [...rows.values()].reduce((sum, each) => sum + each, 0)
    process.stdout.write(
      `Generated ${counted(total, 'row')} in ${rows.size} datasets, with options from ${from} to ${to}: snapshot ${snapshot}.\n`,
    )
    return 0
  },
}

/** More connections do not make a generation faster, because the datasets that others depend on are made day by day. */
const LANES_MAX = 3

/** Memory for two simultaneous derivations of a day with some million trades, each with its sorts in memory. */
const GENERATION_MIB = 4096

/**
 * Generates a market into the lake of the settings; with `keeps`, one that was interrupted goes on where it was. A connection that waits for an engine thread uses as much processor
 * time as one that works. Therefore the engine gets only as many threads as there are cores left by the connections.
 */
export function generateInto(
  settings: Settings,
  options: MarketOptions,
  {
    memoryMib = GENERATION_MIB,
    keeps = false,
  }: { readonly memoryMib?: number; readonly keeps?: boolean } = {},
): Promise<Generated> {
  const threads = engineThreads(settings.threads, 1)
  const lanes = Math.min(threads, LANES_MAX)
  return withWriter(
    settings,
    settings.lake,
    (writer, lake, observe) => generate(writer, lake, options, observe, lanes, keeps),
    { threads: threads - lanes + 1, memoryMib },
  )
}

function optionsOf(flags: Readonly<Record<string, readonly string[]>>): MarketOptions {
  const amounts = Object.entries(AMOUNTS).map(([flag, { option }]) => {
    const [min, max] = MARKET_BOUNDS[option]
    const text = flags[flag]?.[0] ?? ''
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max))
      throw usage(
        generateCommand,
        `--${flag} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`,
      )
    return [option, value]
  })
  return Object.fromEntries(amounts)
}

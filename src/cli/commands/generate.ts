import { type Generated, generate } from '../../lake/generate/generate.ts'
import { MARKET_BOUNDS, type MarketOptions } from '../../lake/generate/market.ts'
import { usage } from '../command/arguments.ts'
import type { Command, Flag } from '../command/command.ts'
import { withWriter } from '../command/maintenance.ts'
import type { Settings } from '../command/settings.ts'
import { counted } from '../terminal/terminal.ts'
import { engineThreads } from '../terminal/threads.ts'

/** Flags and the options that they set. */
const AMOUNTS = {
  seed: { option: 'seed', value: 'S', default: '1', help: 'Another seed makes another market.' },
  days: {
    option: 'days',
    value: 'D',
    default: '30',
    help: 'Sessions with options, the last of them 2024-12-31.',
  },
  tickers: { option: 'tickers', value: 'T', default: '50', help: 'Made-up companies, funds and indices.' },
  'trades-per-day': {
    option: 'tradesPerDay',
    value: 'N',
    default: '100000',
    help: 'Option trades a session, in all tickers together.',
  },
} as const satisfies Record<string, Flag & { option: keyof MarketOptions }>

export const generateCommand: Command = {
  name: 'generate',
  usage: '[flags]',
  details:
    'Makes a synthetic market that hangs together: stocks with 260 sessions of history, option chains and trades, and every other dataset. The same flags make the same rows, whatever the number of threads. A lake of generated data is replaced; one of imported data is left alone.',
  examples: ['tapehouse generate --seed 7 --days 5 --tickers 20 --trades-per-day 50000 --lake data/market'],
  settings: ['lake', 'memoryMib', 'threads'],
  flags: AMOUNTS,
  run: async ({ positionals, settings, flags }) => {
    if (positionals.length > 0)
      throw usage(generateCommand, `generate takes no argument such as ${JSON.stringify(positionals[0])}`)
    const options = optionsOf(flags)
    const { snapshot, rows, from, to } = await generateInto(settings, options)
    const total = [...rows.values()].reduce((sum, each) => sum + each, 0)
    process.stdout.write(
      `Generated ${counted(total, 'row')} in ${rows.size} datasets, with options from ${from} to ${to}: snapshot ${snapshot}.\n`,
    )
    return 0
  },
}

/** More connections than these do not make a generation faster: what they wait for is made day by day. */
const LANES_MAX = 3

/** Memory of the engine: two derivations of a day of some million trades at once, each with its sorts in memory. */
const MEMORY_MIB = 4096

/**
 * Generates a market into the lake of the settings. A connection that waits for a thread of the engine takes as much
 * processor time as one that works, so that the engine has no more threads than connections leave cores.
 */
export function generateInto(settings: Settings, options: MarketOptions): Promise<Generated> {
  const threads = engineThreads(settings.threads, 1)
  const lanes = Math.min(threads, LANES_MAX)
  return withWriter(
    settings,
    settings.lake,
    (writer, lake, observe) => generate(writer, lake, options, observe, lanes),
    { threads: threads - lanes + 1, memoryMib: MEMORY_MIB },
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

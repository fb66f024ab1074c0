import { readTemplate, type Template } from '../../engine/template.ts'
import { ticker as tickerParameter } from '../../operations/parameters/market.ts'
import type { MessageKind } from '../../stream/messages.ts'
import { matches, type Routed } from '../service/grant.ts'

/** Address of the socket, and what a path in a token's routes must match: it stands for all channels. */
export const SOCKET_PATH = '/api/socket'

/** Where the messages of a kind come from. */
export interface Source {
  readonly kind: MessageKind
  readonly template: Template
  /** Datasets that the template reads, each with its column of tickers and whether days before matter too. */
  readonly reads: Readonly<Record<string, { readonly tickers: string; readonly history?: true }>>
}

/** A channel as a client has named it. */
export interface Channel {
  readonly source: Source
  readonly ticker: string | null
  /** One text for all names of a channel. Also what a token's routes must match: `stream.chain_frags.AAPL`. */
  readonly id: string
}

const TICKER = tickerParameter('Ticker of the underlying.')

/** A frag goes out again after each trade that it counts. */
const CHAIN_FRAGS: Source = {
  kind: 'chain_frags',
  template: readTemplate('frag-updates', 'stream'),
  reads: {
    option_trades: { tickers: 'underlying_symbol' },
    chain_frags: { tickers: 'underlying_symbol' },
  },
}

const FLOW_ALERTS: Source = {
  kind: 'flow_alerts',
  template: readTemplate('flow-alerts', 'stream'),
  reads: { flow_alerts: { tickers: 'ticker' } },
}

/** The trades of a day by underlying: the first, the last, and how many. */
export const TAPE_SPAN = readTemplate('tape-span', 'stream')

/** Channels by name, those of one ticker without it. */
const CHANNELS: Readonly<Record<string, { readonly source: Source; readonly byTicker: boolean }>> = {
  option_trades: {
    source: {
      kind: 'option_trades',
      template: readTemplate('option-trades', 'stream'),
      reads: {
        option_trades: { tickers: 'underlying_symbol' },
        flow_alerts: { tickers: 'ticker' },
        tickers: { tickers: 'ticker', history: true },
      },
    },
    byTicker: true,
  },
  flow_alerts: { source: FLOW_ALERTS, byTicker: false },
  'flow-alerts': { source: FLOW_ALERTS, byTicker: false },
  chain_frags: { source: CHAIN_FRAGS, byTicker: true },
}

const NAMES = Object.entries(CHANNELS).flatMap(([name, { byTicker }]) =>
  byTicker ? [name, `${name}:TICKER`] : [name],
)

/** The channel of a name, or what is wrong with the name. */
export function channelOf(name: string): Channel | { readonly problem: string } {
  const [, base = '', ticker] = /^([^:]*)(?::(.*))?$/s.exec(name) ?? []
  const found = Object.hasOwn(CHANNELS, base) ? CHANNELS[base] : undefined
  if (found === undefined) return { problem: `there is no such channel: there are ${NAMES.join(', ')}` }
  const { source, byTicker } = found
  const id = `stream.${source.kind}`
  if (ticker === undefined) return { source, ticker: null, id }
  if (!byTicker) return { problem: `${base} is one channel for all tickers: join it without a ticker` }
  const parsed = TICKER.parse([ticker])
  if ('problem' in parsed || parsed.value === null) {
    return {
      problem: 'the ticker must be a letter, then up to 9 letters, digits, dots or hyphens: chain_frags:AAPL',
    }
  }
  return { source, ticker: parsed.value, id: `${id}.${parsed.value}` }
}

/** A channel as a token's routes may name it. */
export const routeOf = ({ id }: Channel): Routed => ({ id, path: SOCKET_PATH })

/** Whether a token's route pattern means a channel, one of a single ticker included. */
export const meansChannel = (pattern: string): boolean =>
  Object.values(CHANNELS).some(({ source, byTicker }) => {
    const id = `stream.${source.kind}`
    return matches(pattern, { id, path: SOCKET_PATH }) || (byTicker && pattern.startsWith(`${id}.`))
  })

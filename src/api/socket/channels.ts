import { readTemplate, type Template } from '../../engine/template.ts'
import { ticker as tickerParameter } from '../../operations/parameters/market.ts'
import type { MessageKind } from '../../stream/messages.ts'
import { matches, type Routed } from '../service/grant.ts'

/** Path of the socket. A token route that is this path permits all channels. */
export const SOCKET_PATH = '/api/socket'

/** The query that produces the messages of one kind. */
export interface Source {
  readonly kind: MessageKind
  readonly template: Template
  /** Datasets that the template reads, with their ticker columns. `history`: the query also needs earlier days. */
  readonly reads: Readonly<Record<string, { readonly tickers: string; readonly history?: true }>>
}

/** A channel that a client can join. */
export interface Channel {
  readonly source: Source
  readonly ticker: string | null
  /** The same for all names of a channel, e.g. `stream.chain_frags.AAPL`. The routes of a token must match it. */
  readonly id: string
}

const TICKER = tickerParameter('Ticker of the underlying.')

/** A frag is sent again after each trade that it counts. */
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

/** The times of the first and last trade of a day per underlying, and the number of trades. */
export const TAPE_SPAN = readTemplate('tape-span', 'stream')

/** Channels by name, without a ticker. */
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

/** The channel with this name, or what is wrong with the name. */
export function channelOf(name: string): Channel | { readonly problem: string } {
  const [, base = '', ticker] = /^([^:]*)(?::(.*))?$/s.exec(name) ?? []
  const found = Object.hasOwn(CHANNELS, base) ? CHANNELS[base] : undefined
  if (found === undefined) return { problem: `unknown channel: the channels are ${NAMES.join(', ')}` }
  const { source, byTicker } = found
  const id = `stream.${source.kind}`
  if (ticker === undefined) return { source, ticker: null, id }
  if (!byTicker) return { problem: `${base} is one channel for all tickers: join it without a ticker` }
  const parsed = TICKER.parse([ticker])
  if ('problems' in parsed || parsed.value === null) {
    return {
      problem: 'the ticker must be a letter, then up to 9 letters, digits, dots or hyphens: chain_frags:AAPL',
    }
  }
  return { source, ticker: parsed.value, id: `${id}.${parsed.value}` }
}

/** A channel as the routes of a token refer to it. */
export const routeOf = ({ id }: Channel): Routed => ({ id, path: SOCKET_PATH })

/** Whether a route pattern of a token matches any channel, including channels of a single ticker. */
export const matchesChannel = (pattern: string): boolean =>
  Object.values(CHANNELS).some(({ source, byTicker }) => {
    const id = `stream.${source.kind}`
    return matches(pattern, { id, path: SOCKET_PATH }) || (byTicker && pattern.startsWith(`${id}.`))
  })

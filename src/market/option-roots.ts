import type { Settlement } from './expiry-time.ts'
import { isMonthlyExpiry } from './monthly-expiry.ts'

/**
 * Roots of option symbols that differ from the ticker of their underlying. Indices list their PM-settled, weekly and
 * monthly series under other roots (Cboe and Nasdaq contract specifications). Share classes lose the dot of their
 * ticker, which the notation does not allow (OCC, Options Symbology Initiative). Options on the Nanos index need no
 * entry: their underlying is an index with the same symbol.
 */
export const UNDERLYING_OF_ROOT: ReadonlyMap<string, string> = new Map([
  ['NDXP', 'NDX'],
  ['RUTW', 'RUT'],
  ['SPXPM', 'SPX'],
  ['SPXQ', 'SPX'],
  ['SPXW', 'SPX'],
  ['VIXW', 'VIX'],
  ['BFA', 'BF.A'],
  ['BFB', 'BF.B'],
  ['BRKA', 'BRK.A'],
  ['BRKB', 'BRK.B'],
  ['CWENA', 'CWEN.A'],
  ['HEIA', 'HEI.A'],
  ['LENB', 'LEN.B'],
  ['LGFA', 'LGF.A'],
  ['LGFB', 'LGF.B'],
  ['MOGA', 'MOG.A'],
  ['PBRA', 'PBR.A'],
  ['RDSA', 'RDS.A'],
  ['RDSB', 'RDS.B'],
])

/**
 * Roots whose standard monthly series are settled by opening prices. Their other series are PM-settled (Cboe: SPX, RUT,
 * DJX; Nasdaq: NDX contract specifications).
 */
const AM_ON_MONTHLY_EXPIRY: ReadonlySet<string> = new Set(['SPX', 'NDX', 'RUT', 'DJX'])

/** Roots whose series are all settled by an opening quotation, including the weekly ones on Wednesdays (Cboe: VIX). */
const AM_ALWAYS: ReadonlySet<string> = new Set(['VIX', 'VIXW'])

/**
 * The ticker of the underlying of an option root, in capitals. A trailing digit marks contracts adjusted for a split or
 * a merger (AAPL1), a leading digit FLEX contracts (2SPY). Tickers of underlyings have no digits.
 */
export function underlyingOf(root: string): string {
  const plain = root.replace(/^\d+/, '').replace(/\d+$/, '') || root
  return UNDERLYING_OF_ROOT.get(plain) ?? plain
}

/** The settlement of contracts of a root that expire on `expiry` (YYYY-MM-DD). */
export function settlementOf(root: string, expiry: string): Settlement {
  if (AM_ALWAYS.has(root)) return 'AM'
  return AM_ON_MONTHLY_EXPIRY.has(root) && isMonthlyExpiry(expiry) ? 'AM' : 'PM'
}

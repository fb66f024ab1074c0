import type { OptionType } from './black-scholes.ts'
import { isValidDate } from './day.ts'

/** An option contract as its symbol tells it. */
export interface OptionSymbol {
  /** 1 to 6 capital letters and digits, such as AAPL or SPXW. */
  readonly root: string
  /** YYYY-MM-DD, in 2000 to 2099. */
  readonly expiry: string
  readonly type: OptionType
  /** Dollars, in thousandths. */
  readonly strike: number
}

/** Padded, the root fills 6 places; blanks stand nowhere else. */
const PATTERN = /^(?=.{16,21}$)([A-Z0-9]{1,6}) *(\d{2})(\d{2})(\d{2})([CP])(\d{8})$/
const ROOT_PATTERN = /^[A-Z0-9]{1,6}$/
const DATE_PATTERN = /^20\d{2}-\d{2}-\d{2}$/

const STRIKE_THOUSANDTHS_MAX = 99_999_999

/**
 * Reads an option symbol in the notation of the Options Symbology Initiative (OCC, 2010): root, YYMMDD, C or P, strike
 * times 1000 in 8 digits. Any case; a root padded with blanks to 6 places is accepted. Null for anything else, and for
 * a date that the calendar does not have.
 */
export function parseOptionSymbol(text: string): OptionSymbol | null {
  const [, root = '', year, month, day, letter, strike] = PATTERN.exec(text.toUpperCase()) ?? []
  const expiry = `20${year}-${month}-${day}`
  if (root === '' || !isValidDate(expiry)) return null
  return { root, expiry, type: letter === 'C' ? 'call' : 'put', strike: Number(strike) / 1000 }
}

/** Writes an option symbol without blanks. Throws a RangeError for what the notation cannot hold. */
export function formatOptionSymbol({ root, expiry, type, strike }: OptionSymbol): string {
  const thousandths = Math.round(strike * 1000)
  const holds =
    ROOT_PATTERN.test(root) &&
    DATE_PATTERN.test(expiry) &&
    isValidDate(expiry) &&
    thousandths >= 0 &&
    thousandths <= STRIKE_THOUSANDTHS_MAX &&
    thousandths / 1000 === strike
  if (!holds) throw new RangeError(`no option symbol holds ${root} ${expiry} ${type} ${strike}`)
  const date = expiry.slice(2).replaceAll('-', '')
  return `${root}${date}${type === 'call' ? 'C' : 'P'}${String(thousandths).padStart(8, '0')}`
}

import type { OptionType } from './black-scholes.ts'
import { isValidDate } from './day.ts'

/** The contract of an option symbol. */
export interface OptionSymbol {
  /** 1 to 6 capital letters and digits, such as AAPL or SPXW. */
  readonly root: string
  /** YYYY-MM-DD, in 2000 to 2099. */
  readonly expiry: string
  readonly type: OptionType
  /** Dollars, in thousandths. */
  readonly strike: number
}

/** A padded root has 6 characters; there are no other spaces. */
const PATTERN = /^(?=.{16,21}$)([A-Z0-9]{1,6}) *(\d{2})(\d{2})(\d{2})([CP])(\d{8})$/
const ROOT_PATTERN = /^[A-Z0-9]{1,6}$/
const DATE_PATTERN = /^20\d{2}-\d{2}-\d{2}$/

const STRIKE_THOUSANDTHS_MAX = 99_999_999

/**
 * Parses an option symbol of the Options Symbology Initiative (OCC, 2010): root, YYMMDD, C or P, strike times 1000 in 8
 * digits. Case does not matter, and the root may be padded with spaces to 6 characters. Null for other text and for an
 * invalid date.
 */
export function parseOptionSymbol(text: string): OptionSymbol | null {
  const [, root = '', year, month, day, letter, strike] = PATTERN.exec(text.toUpperCase()) ?? []
  const expiry = `20${year}-${month}-${day}`
  if (root === '' || !isValidDate(expiry)) return null
  return { root, expiry, type: letter === 'C' ? 'call' : 'put', strike: Number(strike) / 1000 }
}

/** Formats an option symbol without spaces. Throws a RangeError for a contract that the notation cannot express. */
export function formatOptionSymbol({ root, expiry, type, strike }: OptionSymbol): string {
  const thousandths = Math.round(strike * 1000)
  const holds =
    ROOT_PATTERN.test(root) &&
    DATE_PATTERN.test(expiry) &&
    isValidDate(expiry) &&
    thousandths >= 0 &&
    thousandths <= STRIKE_THOUSANDTHS_MAX &&
    thousandths / 1000 === strike
  if (!holds) throw new RangeError(`${root} ${expiry} ${type} ${strike} has no option symbol`)
  const date = expiry.slice(2).replaceAll('-', '')
  return `${root}${date}${type === 'call' ? 'C' : 'P'}${String(thousandths).padStart(8, '0')}`
}

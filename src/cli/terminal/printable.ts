import { cutToWidth } from './width.ts'

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text from outside for a terminal: control and invisible characters, such as those of escape sequences, as `\u{1b}`. */
export const printable = (text: string): string =>
  text.replaceAll(UNPRINTABLE, character => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** `printable` of a text, cut to a number of columns of the terminal. */
export const printableStart = (text: string, widthMax: number): string =>
  cutToWidth(printable(text), widthMax)

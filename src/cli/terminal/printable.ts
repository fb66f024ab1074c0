const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text from outside for a terminal: control and invisible characters, such as those of escape sequences, as `\u{1b}`. */
export const printable = (text: string): string =>
  text.replaceAll(UNPRINTABLE, character => `\\u{${character.codePointAt(0)?.toString(16)}}`)

/** `printable` of a text that is cut to `charactersMax` characters. */
export const printableStart = (text: string, charactersMax: number): string =>
  printable(text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text)

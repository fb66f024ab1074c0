export const QUOTE = 34

const NEWLINE = 10
const RETURN = 13

/**
 * The end of the record that starts at `start` and has quotes: at its line end, or at the end of `bytes`. `broken` if a
 * quote opens within a field, if anything but a delimiter follows a closing quote, or if a quote is never closed.
 * `cut off` if more bytes are needed to decide, which is impossible with `last`.
 */
export function endOfQuotedRecord(
  bytes: Buffer,
  start: number,
  delimiter: number,
  last: boolean,
): number | 'broken' | 'cut off' {
  const ranOut = last ? 'broken' : 'cut off'
  let at = start
  for (;;) {
    if (bytes[at] === QUOTE) {
      const closing = closingQuote(bytes, at + 1)
      if (closing === undefined) return ranOut
      at = closing + 1
    } else {
      while (at < bytes.length && !isFieldEnd(bytes, at, delimiter)) {
        if (bytes[at] === QUOTE) return 'broken'
        at += 1
      }
    }
    if (at === bytes.length) return last ? at : 'cut off'
    if (bytes[at] === delimiter) at += 1
    else if (bytes[at] === NEWLINE) return at
    else if (bytes[at] === RETURN) return afterReturn(bytes, at, last)
    else return 'broken'
  }
}

/** The number of fields of the record from `start` to `end`. If `quoted`, its quotes must be well-formed. */
export function fieldsIn(
  bytes: Buffer,
  start: number,
  end: number,
  delimiter: number,
  quoted = true,
): number {
  let fields = 1
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at]
    if (byte === delimiter) fields += 1
    else if (quoted && byte === QUOTE) at = closingQuote(bytes, at + 1) ?? end
  }
  return fields
}

const isFieldEnd = (bytes: Buffer, at: number, delimiter: number) =>
  bytes[at] === delimiter || bytes[at] === NEWLINE || bytes[at] === RETURN

/** The quote that closes a field whose content starts at `from`; a doubled quote is content. */
function closingQuote(bytes: Buffer, from: number): number | undefined {
  let at = bytes.indexOf(QUOTE, from)
  while (at !== -1 && bytes[at + 1] === QUOTE) at = bytes.indexOf(QUOTE, at + 2)
  return at === -1 ? undefined : at
}

/** Only a line end may follow a carriage return outside of quotes. */
function afterReturn(bytes: Buffer, at: number, last: boolean): number | 'broken' | 'cut off' {
  let next = at
  while (bytes[next] === RETURN) next += 1
  if (next === bytes.length) return last ? next : 'cut off'
  return bytes[next] === NEWLINE ? next : 'broken'
}

import type { Readable } from 'node:stream'

/** The longest line that is kept together. */
const LINE_BYTES_MAX = 1024 ** 2
const LINE_FEED = 0x0a

/** Passes on what workers write to their standard error, in whole lines, so that lines of several workers do not mix. */
export function passLines(from: Readable, write: (lines: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0)
  from.on('data', (chunk: Buffer) => {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = text.length > LINE_BYTES_MAX ? text.length : text.lastIndexOf(LINE_FEED) + 1
    rest = text.subarray(end)
    if (end > 0) write(text.subarray(0, end))
  })
  from.on('end', () => {
    if (rest.length > 0) write(Buffer.concat([rest, Buffer.from('\n')]))
  })
  from.on('error', () => {})
}

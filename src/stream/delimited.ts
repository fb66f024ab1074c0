import type { MessageWriter, StreamForm } from './messages.ts'
import { newWire, written } from './wire.ts'

/** Where bytes are put together before they are copied out: it grows to what was the most so far. */
const scratch = newWire(256 * 1024)

/**
 * Rows `from` to `to` in the form of a stream, in memory of their own: protobuf behind their length as a varint, which
 * every protobuf runtime reads as "delimited", or a line of ProtoJSON each.
 */
export function bytesOf(
  writer: Pick<MessageWriter, 'append'>,
  form: StreamForm,
  from: number,
  to: number,
): Uint8Array<ArrayBuffer> {
  scratch.at = 0
  for (let row = from; row < to; row += 1) writer.append(form, scratch, row)
  return written(scratch)
}

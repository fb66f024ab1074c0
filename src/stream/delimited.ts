import { newWire, written } from '../engine/text/wire.ts'
import type { MessageWriter, StreamForm } from './messages.ts'

/** A buffer for assembling bytes before they are copied. It grows to the largest size so far. */
const scratch = newWire(256 * 1024)

/**
 * Rows `from` to `to` in the form of a stream, as a copy: protobuf messages, each prefixed with its length as a varint
 * ("delimited" in protobuf runtimes), or one line of ProtoJSON per message.
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

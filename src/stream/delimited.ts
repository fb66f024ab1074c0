import type { StreamForm } from './messages.ts'
import type { Run } from './replay.ts'
import { newWire } from './wire.ts'

/** Bytes that are collected before they go out, so that a write does not carry one message. */
const BUFFER_BYTES = 256 * 1024

/** What a message takes in most cases; more room is made where one takes more. */
const MESSAGE_BYTES = 1024

/** Whole messages as bytes, one behind the other. */
export interface Chunk {
  readonly bytes: Uint8Array
  readonly messages: number
}

/**
 * The messages of each run in the form of the stream: protobuf behind their length as a varint, which every protobuf
 * runtime reads as "delimited", or a line of ProtoJSON. A run's last bytes go out with it, so that nothing that is due
 * waits for what is not. Each chunk has memory of its own.
 */
export async function* delimited(
  runs: AsyncIterable<Run>,
  form: StreamForm,
  bufferBytes = BUFFER_BYTES,
): AsyncGenerator<Chunk, void> {
  for await (const { messages, from, to } of runs) {
    const room = (row: number) => Math.min(bufferBytes, (to - row) * MESSAGE_BYTES) + MESSAGE_BYTES
    let wire = newWire(room(from))
    let first = from
    for (let row = from; row < to; row += 1) {
      messages.append(form, wire, row)
      if (wire.at < bufferBytes) continue
      yield { bytes: wire.bytes.subarray(0, wire.at), messages: row + 1 - first }
      first = row + 1
      wire = newWire(room(first))
    }
    if (wire.at > 0) yield { bytes: wire.bytes.subarray(0, wire.at), messages: to - first }
  }
}

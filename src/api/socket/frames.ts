import type { MessageKind, Messages } from '../../stream/messages.ts'
import {
  LENGTH_DELIMITED,
  newWire,
  tagOf,
  VARINT,
  writeDelimited,
  writeTag,
  writeVarint64,
  written,
} from '../../stream/wire.ts'

/**
 * What goes out on a socket: JSON text, or messages `Frame` of src/stream/tapehouse.proto. Each is made once, however
 * many clients get it.
 */

export const ENCODINGS = ['json', 'protobuf'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The subprotocol of each encoding; a client that offers none gets JSON. */
export function encodingOffered(offered: Iterable<string>): Encoding | null {
  for (const name of offered) for (const encoding of ENCODINGS) if (name === encoding) return encoding
  return null
}

/** Numbers of the fields of a Frame. */
const CHANNEL = 1
const PAYLOADS: Readonly<Record<MessageKind, number>> = { chain_frags: 2, option_trades: 3, flow_alerts: 4 }
const RESPONSE = 5
const HEARTBEAT = 6
const HEARTBEAT_CHANNEL = 'heartbeat'
/** Those of a Response, and of a Heartbeat. */
const [STATUS, REASON] = [1, 2]
const TAPE_TIME = 1

/** What a tag and a varint take at most. */
const HEAD_BYTES_MAX = 15

/** Fields of text and messages, in the order given. */
function fields(...given: readonly (readonly [number: number, content: Uint8Array])[]): Buffer {
  const wire = newWire(given.reduce((size, [, content]) => size + content.length + HEAD_BYTES_MAX, 0))
  for (const [number, content] of given)
    writeDelimited(wire, tagOf(number, LENGTH_DELIMITED), content, 0, content.length)
  return Buffer.from(wire.bytes.buffer, 0, wire.at)
}

/** Writes the rows of a kind as the messages of a channel, under the name that clients have joined it by. */
export function payloads(
  encoding: Encoding,
  kind: MessageKind,
  name: string,
): (messages: Messages, row: number) => Buffer {
  if (encoding === 'json') {
    const head = `[${JSON.stringify(name)},`
    return (messages, row) => Buffer.from(`${head}${messages.json(row)}]`)
  }
  const channel = Buffer.from(name)
  return (messages, row) => fields([CHANNEL, channel], [PAYLOADS[kind], messages.protobuf(row)])
}

/** The answer to a client's message about a channel: `reason` says what was wrong with it, null that all is well. */
export function response(encoding: Encoding, name: string, reason: string | null): Buffer {
  const status = reason === null ? 'ok' : 'error'
  if (encoding === 'json')
    return Buffer.from(JSON.stringify([name, { response: reason === null ? {} : { reason }, status }]))
  const told = reason === null ? [] : [[REASON, Buffer.from(reason)] as const]
  return fields([CHANNEL, Buffer.from(name)], [RESPONSE, fields([STATUS, Buffer.from(status)], ...told)])
}

/** A sign of life with the tape's time in Unix milliseconds; null while there is no tape. */
export function heartbeat(encoding: Encoding, tapeMs: number | null): Buffer {
  if (encoding === 'json') return Buffer.from(JSON.stringify([HEARTBEAT_CHANNEL, { tape_time: tapeMs }]))
  const content = newWire(HEAD_BYTES_MAX)
  if (tapeMs !== null) {
    writeTag(content, tagOf(TAPE_TIME, VARINT))
    writeVarint64(content, tapeMs | 0, Math.floor(tapeMs / 2 ** 32))
  }
  return fields([CHANNEL, Buffer.from(HEARTBEAT_CHANNEL)], [HEARTBEAT, written(content)])
}

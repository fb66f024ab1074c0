import { newWire, written } from '../../engine/text/wire.ts'
import type { MessageKind, Messages } from '../../stream/messages.ts'
import {
  LENGTH_DELIMITED,
  tagOf,
  VARINT,
  writeDelimited,
  writeTag,
  writeVarint64,
} from '../../stream/wire.ts'

/**
 * Encodes what the server sends on a socket: JSON text, or messages `Frame` of src/stream/tapehouse.proto. A message is
 * encoded once for all clients.
 */

export const ENCODINGS = ['json', 'protobuf'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The first encoding among the subprotocols that a client offers; null if there is none, which means JSON. */
export function encodingOffered(offered: Iterable<string>): Encoding | null {
  for (const name of offered) for (const encoding of ENCODINGS) if (name === encoding) return encoding
  return null
}

/** Field numbers of Frame. */
const CHANNEL = 1
const PAYLOADS: Readonly<Record<MessageKind, number>> = { chain_frags: 2, option_trades: 3, flow_alerts: 4 }
const RESPONSE = 5
const HEARTBEAT = 6
const HEARTBEAT_CHANNEL = 'heartbeat'
/** Field numbers of Response and of Heartbeat. */
const [STATUS, REASON, WARNING] = [1, 2, 3]
const TAPE_TIME = 1

/** Maximum size of a tag and a varint. */
const HEAD_BYTES_MAX = 15

/** A message with these length-delimited fields (strings and messages), in order. */
function message(...fields: readonly (readonly [number: number, content: Uint8Array])[]): Buffer {
  const wire = newWire(fields.reduce((size, [, content]) => size + content.length + HEAD_BYTES_MAX, 0))
  for (const [number, content] of fields)
    writeDelimited(wire, tagOf(number, LENGTH_DELIMITED), content, 0, content.length)
  return Buffer.from(wire.bytes.buffer, 0, wire.at)
}

/** An encoder of rows of one kind as messages of a channel, under the name that the clients used to join it. */
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
  return (messages, row) => message([CHANNEL, channel], [PAYLOADS[kind], messages.protobuf(row)])
}

/** What a response to a client's request says besides its status. */
export interface ResponseText {
  /** What was wrong with the request; null means success. */
  readonly reason: string | null
  /** What the client should know about a channel that it has joined. */
  readonly warning: string | null
}

/** The response to a client's request. */
export function response(encoding: Encoding, name: string, { reason, warning }: ResponseText): Buffer {
  const status = reason === null ? 'ok' : 'error'
  if (encoding === 'json') {
    const content = { ...(reason === null ? {} : { reason }), ...(warning === null ? {} : { warning }) }
    return Buffer.from(JSON.stringify([name, { response: content, status }]))
  }
  const texts = [[REASON, reason] as const, [WARNING, warning] as const].flatMap(([field, text]) =>
    text === null ? [] : [[field, Buffer.from(text)] as const],
  )
  return message([CHANNEL, Buffer.from(name)], [RESPONSE, message([STATUS, Buffer.from(status)], ...texts)])
}

/** A heartbeat with the time of the tape in Unix milliseconds; null while the tape is unknown. */
export function heartbeat(encoding: Encoding, tapeMs: number | null): Buffer {
  if (encoding === 'json') return Buffer.from(JSON.stringify([HEARTBEAT_CHANNEL, { tape_time: tapeMs }]))
  const content = newWire(HEAD_BYTES_MAX)
  if (tapeMs !== null) {
    writeTag(content, tagOf(TAPE_TIME, VARINT))
    writeVarint64(content, tapeMs | 0, Math.floor(tapeMs / 2 ** 32))
  }
  return message([CHANNEL, Buffer.from(HEARTBEAT_CHANNEL)], [HEARTBEAT, written(content)])
}

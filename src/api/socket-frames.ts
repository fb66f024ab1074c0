import type { MessageKind, Messages } from '../stream/messages.ts'

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

const LENGTH_DELIMITED = 2

/** A number up to 2^53 as a varint, least bits first. */
function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}

function field(number: number, content: Uint8Array): Buffer {
  const head = Buffer.from([(number << 3) | LENGTH_DELIMITED, ...varint(content.length)])
  return Buffer.concat([head, content])
}

const textField = (number: number, text: string) => field(number, Buffer.from(text))
const frame = (name: string, number: number, content: Uint8Array) =>
  Buffer.concat([textField(CHANNEL, name), field(number, content)])

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
  const channel = textField(CHANNEL, name)
  const tag = (PAYLOADS[kind] << 3) | LENGTH_DELIMITED
  return (messages, row) => {
    const message = messages.protobuf(row)
    const length = varint(message.length)
    const bytes = Buffer.allocUnsafe(channel.length + 1 + length.length + message.length)
    bytes.set(channel)
    bytes[channel.length] = tag
    bytes.set(length, channel.length + 1)
    bytes.set(message, channel.length + 1 + length.length)
    return bytes
  }
}

/** The answer to a client's message about a channel: `reason` says what was wrong with it, null that all is well. */
export function response(encoding: Encoding, name: string, reason: string | null): Buffer {
  const status = reason === null ? 'ok' : 'error'
  if (encoding === 'json')
    return Buffer.from(JSON.stringify([name, { response: reason === null ? {} : { reason }, status }]))
  const told = reason === null ? [] : [textField(2, reason)]
  return frame(name, RESPONSE, Buffer.concat([textField(1, status), ...told]))
}

/** A sign of life with the tape's time in Unix milliseconds; null while there is no tape. */
export function heartbeat(encoding: Encoding, tapeMs: number | null): Buffer {
  if (encoding === 'json') return Buffer.from(JSON.stringify([HEARTBEAT_CHANNEL, { tape_time: tapeMs }]))
  const content = tapeMs === null ? [] : [1 << 3, ...varint(tapeMs)]
  return frame(HEARTBEAT_CHANNEL, HEARTBEAT, Buffer.from(content))
}

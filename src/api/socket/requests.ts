/** A valid request of a client. `name` is the channel name as the client wrote it. */
export interface ClientRequest {
  readonly name: string
  readonly action: 'join' | 'leave'
}

/** An invalid request. `name` is the channel name if it could be read, else empty. */
export interface InvalidClientRequest {
  readonly name: string
  readonly problem: string
}

/** No channel has a longer name. Responses repeat at most this much of a name. */
const NAME_LENGTH_MAX = 64
const EXAMPLE = '{"channel": "chain_frags:AAPL", "msg_type": "join"}'

/** Parses a message of a client, which is JSON text whatever the encoding of the socket. */
export function readRequest(
  bytes: Buffer,
  binary: boolean,
  bytesMax: number,
): ClientRequest | InvalidClientRequest {
  if (bytes.length > bytesMax)
    return { name: '', problem: `the message has ${bytes.length} bytes: the limit is ${bytesMax}` }
  if (binary) return { name: '', problem: `the message is binary: send JSON text such as ${EXAMPLE}` }
  const parsed = parsedJson(bytes.toString())
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    return { name: '', problem: `the message is not a JSON object: send one such as ${EXAMPLE}` }
  const { channel, msg_type: action } = parsed as Record<string, unknown>
  if (typeof channel !== 'string' || channel === '')
    return { name: '', problem: `the message names no channel: send one such as ${EXAMPLE}` }
  const name = channel.slice(0, NAME_LENGTH_MAX)
  if (action !== 'join' && action !== 'leave') return { name, problem: 'msg_type must be "join" or "leave"' }
  return { name, action }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

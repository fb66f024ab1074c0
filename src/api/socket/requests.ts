/** What a client may ask on a socket. */
export interface Asked {
  readonly name: string
  readonly what: 'join' | 'leave'
}

/** A message that is none of ours. The name is the channel's if one could be read, else empty. */
export interface Misunderstood {
  readonly name: string
  readonly problem: string
}

/** Names beyond this are no channel's; what a reply repeats of them ends here. */
const NAME_LENGTH_MAX = 64
const EXAMPLE = '{"channel": "chain_frags:AAPL", "msg_type": "join"}'

/** Reads a client's message: JSON text in both encodings. */
export function readRequest(bytes: Buffer, binary: boolean, bytesMax: number): Asked | Misunderstood {
  if (bytes.length > bytesMax)
    return { name: '', problem: `the message has ${bytes.length} bytes: at most ${bytesMax} are read` }
  if (binary) return { name: '', problem: `the message is binary: send JSON text such as ${EXAMPLE}` }
  const parsed = parsedJson(bytes.toString())
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    return { name: '', problem: `the message is not a JSON object: send one such as ${EXAMPLE}` }
  const { channel, msg_type: what } = parsed as Record<string, unknown>
  if (typeof channel !== 'string' || channel === '')
    return { name: '', problem: `the message names no channel: send one such as ${EXAMPLE}` }
  const name = channel.slice(0, NAME_LENGTH_MAX)
  if (what !== 'join' && what !== 'leave') return { name, problem: 'msg_type must be "join" or "leave"' }
  return { name, what }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Kinds of malformed requests, as what they do to the bytes of a valid one. `random` is below 1. */

type Random = () => number

const place = (text: string, random: Random) => Math.floor(random() * text.length)
const insert = (text: string, added: string, random: Random) => {
  const at = place(text, random)
  return text.slice(0, at) + added + text.slice(at)
}
const header = (text: string, line: string) => text.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`)
const digits = (random: Random) => String(Math.floor(random() * 1e15))

export const MALFORMED: Readonly<Record<string, (text: string, random: Random) => string>> = {
  'a byte inserted': (text, random) => insert(text, String.fromCharCode(Math.floor(random() * 256)), random),
  'a byte replaced': (text, random) => {
    const at = place(text, random)
    return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1)
  },
  'cut off': (text, random) => text.slice(0, place(text, random)),
  'a part repeated': (text, random) => {
    const at = place(text, random)
    return text.slice(0, at) + text.slice(Math.max(0, at - 30))
  },
  'random bytes': (_, random) =>
    Array.from({ length: 1 + Math.floor(random() * 300) }, () =>
      String.fromCharCode(Math.floor(random() * 256)),
    ).join(''),
  'line feeds alone': text => text.replaceAll('\r\n', '\n'),
  'carriage returns alone': text => text.replaceAll('\r\n', '\r'),
  'an unknown method': (text, random) =>
    text.replace('GET', ['QUERY', 'FETCH', 'get', 'G ET', ''][Math.floor(random() * 5)] ?? ''),
  'an unknown version': (text, random) =>
    text.replace(
      'HTTP/1.1',
      ['HTTP/2.0', 'HTTP/0.9', 'HTTP/1.', 'HTTP', 'http/1.1', ''][Math.floor(random() * 6)] ?? '',
    ),
  'a target with other characters': (text, random) =>
    text.replace(
      ' /api',
      ` ${['\\', '//', '/\u0000', '/%', '/%zz', '/\u00ff', '/?#', '*', 'http://', '/../'][Math.floor(random() * 10)]}api`,
    ),
  'two Hosts': text => header(text, 'Host: b'),
  'a Host that is none': text => text.replace('Host: a', 'Host: [\u0001'),
  'a folded header': text => header(text, 'X-A: b\r\n c'),
  'a header without a colon': text => header(text, 'nonsense'),
  'a header without a name': text => header(text, ': nonsense'),
  'a name with a blank': text => header(text, 'X A: b'),
  'control characters in a value': text => header(text, 'X-A: \u0000\u0007\u001b[31m'),
  'a Content-Type that cannot be parsed': (text, random) =>
    header(
      text,
      `Content-Type: ${[';;', '/', 'a/b;=', '\u00ff', 'text/plain; charset="'][Math.floor(random() * 5)]}\r\nContent-Length: 0`,
    ),
  'lengths that differ': text => header(text, 'Content-Length: 1\r\nContent-Length: 2'),
  'a length that is none': (text, random) =>
    header(
      text,
      `Content-Length: ${['-1', '1e3', '0x10', '', ' ', digits(random) + digits(random)][Math.floor(random() * 6)]}`,
    ),
  'a length beside chunks': text => header(text, 'Content-Length: 3\r\nTransfer-Encoding: chunked'),
  'chunks that are none': (text, random) =>
    header(text, 'Transfer-Encoding: chunked') +
    ['zz\r\n', '-1\r\n', 'ffffffffffffffffff\r\n', '1\r\nab\r\n'][Math.floor(random() * 4)],
  'an unknown coding': text => header(text, 'Transfer-Encoding: gzip, what'),
  'a long URL': (text, random) =>
    text.replace('?', `?${'x'.repeat(17_000 + Math.floor(random() * 40_000))}&`),
  'long headers': (text, random) =>
    header(text, `X-A: ${'y'.repeat(33_000 + Math.floor(random() * 40_000))}`),
  'many headers': (text, random) =>
    header(
      text,
      Array.from({ length: 100 + Math.floor(random() * 3000) }, (_, index) => `a${index}: b`).join('\r\n'),
    ),
  'an expectation': text => header(text, 'Expect: tea'),
  'an upgrade': text =>
    text.replace('Connection: close', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x'),
  'an Accept that is none': text => header(text, 'Accept: ;q=\u00ff, */, text/csv;q=nan'),
  'another encoding': text => header(text, 'Accept-Encoding: \u0001, *;q=0, br;q=2'),
  'an entity tag that is none': text => header(text, 'If-None-Match: "\u00ff, W/, "'),
  'a token of other characters': (text, random) =>
    text.replace(/Bearer .*/, `Bearer ${'\u00e9\\"'.repeat(1 + Math.floor(random() * 20))}`),
  'another request behind it': text => `${text.replace('Connection: close\r\n', '')}nonsense\r\n\r\n`,
}

/** Targets that the requests begin with. */
const TARGETS = [
  '/api/lake?a=1',
  '/api/economy/cpi?a=1',
  '/api/analytics/window?symbols=A&range=full&calculations=MEAN',
  '/api/socket?token=a',
  '/api/docs?a=1',
  '/api/nowhere?a=1',
]

/** A sequence of the same numbers below 1 for the same seed: mulberry32. */
function numbers(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** `count` malformed requests of all kinds in turn, the same ones each time. */
export function* malformedRequests(count: number, token: string): Generator<Buffer> {
  const random = numbers(count)
  const kinds = Object.values(MALFORMED)
  for (let index = 0; index < count; index += 1) {
    const target = TARGETS[Math.floor(random() * TARGETS.length)]
    const valid = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`
    const change = kinds[index % kinds.length] ?? (text => text)
    yield Buffer.from(change(valid, random), 'latin1')
  }
}

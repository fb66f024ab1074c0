import { createHash } from 'node:crypto'

const URLS = '6ba7b8119dad11d180b400c04fd430c8'

/** The UUID of version 5 (RFC 9562) of `tapehouse:` and a name under the namespace of URLs, as ids are made. */
export function namedUuid(name: string): string {
  const bytes = createHash('sha1').update(Buffer.from(URLS, 'hex')).update(`tapehouse:${name}`).digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

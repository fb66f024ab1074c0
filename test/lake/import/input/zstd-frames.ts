/**
 * zstd files (RFC 8878) made of raw blocks, as a writer for tests: not every Node has zstd. With `checksum` a frame
 * ends in the low 32 bits of XXH64 of its content; with `skippable` it is a frame without data.
 */
export function zstdOf(content: Buffer, options: { checksum?: boolean; skippable?: boolean } = {}): Buffer {
  if (options.skippable) return Buffer.from('502a4d18040000006e6f7465', 'hex')
  const blocks: Buffer[] = []
  for (let start = 0; start === 0 || start < content.length; start += BLOCK_BYTES) {
    const bytes = content.subarray(start, start + BLOCK_BYTES)
    const last = start + BLOCK_BYTES >= content.length
    const header = Buffer.alloc(3)
    header.writeUIntLE(bytes.length * 8 + (last ? 1 : 0), 0, 3)
    blocks.push(header, bytes)
  }
  const checksum = Buffer.alloc(options.checksum ? 4 : 0)
  if (options.checksum) checksum.writeUInt32LE(Number(xxh64(content) & 0xffffffffn))
  // Window of 128 KiB (exponent 7), no content size, no dictionary.
  const descriptor = options.checksum ? 4 : 0
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, descriptor, 7 << 3]), ...blocks, checksum])
}

const BLOCK_BYTES = 100_000

const [P1, P2, P3, P4, P5] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const

const u64 = (value: bigint) => BigInt.asUintN(64, value)
const rotate = (value: bigint, bits: bigint) => u64((value << bits) | (value >> (64n - bits)))
const round = (lane: bigint, input: bigint) => u64(rotate(u64(lane + input * P2), 31n) * P1)

/** XXH64 with seed 0. */
function xxh64(bytes: Buffer): bigint {
  let at = 0
  let hash: bigint = P5
  if (bytes.length >= 32) {
    const lanes: bigint[] = [u64(P1 + P2), P2, 0n, u64(-P1)]
    for (; at + 32 <= bytes.length; at += 32)
      for (const [index, lane] of lanes.entries())
        lanes[index] = round(lane, bytes.readBigUInt64LE(at + index * 8))
    const turns = [1n, 7n, 12n, 18n]
    hash = u64(lanes.reduce((sum, lane, index) => sum + rotate(lane, turns[index] ?? 0n), 0n))
    for (const lane of lanes) hash = u64((hash ^ round(0n, lane)) * P1 + P4)
  }
  hash = u64(hash + BigInt(bytes.length))
  for (; at + 8 <= bytes.length; at += 8)
    hash = u64(rotate(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * P1 + P4)
  if (at + 4 <= bytes.length) {
    hash = u64(rotate(hash ^ u64(BigInt(bytes.readUInt32LE(at)) * P1), 23n) * P2 + P3)
    at += 4
  }
  for (; at < bytes.length; at += 1) hash = u64(rotate(hash ^ u64(BigInt(bytes[at] ?? 0) * P5), 11n) * P1)
  hash = u64((hash ^ (hash >> 33n)) * P2)
  hash = u64((hash ^ (hash >> 29n)) * P3)
  return hash ^ (hash >> 32n)
}

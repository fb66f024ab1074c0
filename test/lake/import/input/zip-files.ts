import { crc32, deflateRawSync } from 'node:zlib'

/** One member of a zip archive for tests, and what is wrong with it. */
export interface ZipMember {
  readonly name: string
  readonly content?: string | Buffer
  readonly hasPassword?: boolean
  /** The number of the compression method, of which only 8 is applied. Default: 8. */
  readonly method?: number
  readonly checksum?: number
  /** The size that the archive states. */
  readonly bytes?: number
}

/** A zip archive (APPNOTE.TXT of PKWARE, version 2.0): each member with its header, then the directory and its end. */
export function zipOf(members: readonly ZipMember[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content = '', hasPassword = false, method = 8, checksum, bytes } of members) {
    const plain = Buffer.from(content)
    const packed = method === 8 ? deflateRawSync(plain) : plain
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE((hasPassword ? 1 : 0) | 0x800, 2)
    shared.writeUInt16LE(method, 4)
    shared.writeUInt32LE(checksum ?? crc32(plain), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(bytes ?? plain.length, 18)
    shared.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed])
    const places = Buffer.alloc(14)
    places.writeUInt32LE(offset, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), shared, places, Buffer.from(name)]),
    )
    parts.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(members.length, 4)
  end.writeUInt16LE(members.length, 6)
  end.writeUInt32LE(size, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06'), end])
}

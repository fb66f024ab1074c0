/** Offsets of fields in the header of a 64-bit ELF file, and in an entry of its program header table (elf.h). */
const HEADER = {
  programHeaders: 32,
  sections: 40,
  entrySize: 54,
  entryCount: 56,
  sectionCount: 60,
  sectionNames: 62,
}
const ENTRY = { offset: 8, fileSize: 32 }

/**
 * The part of a shared library that the dynamic loader maps. The names of internal symbols and the table of sections
 * follow it; only debuggers and linkers read them. The binary hashes the library at each start, so it carries no more
 * than it loads.
 *
 * @param library content of an ELF file, 64-bit, little-endian
 * @returns a copy that ends with the last segment and has no sections
 * @throws Error if the content is no such file
 */
export function loadedPart(library) {
  if (library.toString('latin1', 0, 6) !== '\x7fELF\x02\x01')
    throw new Error('a native part is not a 64-bit little-endian ELF file')
  const first = Number(library.readBigUInt64LE(HEADER.programHeaders))
  const size = library.readUInt16LE(HEADER.entrySize)
  const count = library.readUInt16LE(HEADER.entryCount)
  const ends = Array.from({ length: count }, (_, index) => {
    const entry = first + index * size
    return Number(
      library.readBigUInt64LE(entry + ENTRY.offset) + library.readBigUInt64LE(entry + ENTRY.fileSize),
    )
  })
  const loaded = Buffer.from(library.subarray(0, Math.max(first + count * size, ...ends)))
  loaded.writeBigUInt64LE(0n, HEADER.sections)
  loaded.writeUInt16LE(0, HEADER.sectionCount)
  loaded.writeUInt16LE(0, HEADER.sectionNames)
  return loaded
}

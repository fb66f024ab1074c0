import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import type { Member } from './member.ts'

const STORED = 0
const DEFLATED = 8

/** The part that makes a zip archive a workbook of Excel. */
const WORKBOOK = 'xl/workbook.xml'

/** Members that make a zip archive a file of another kind, and the next step. */
const FOREIGN: readonly (readonly [member: RegExp, what: string, next: string])[] = [
  [/^xl\/workbook\.bin$/, 'a binary workbook of Excel (.xlsb)', 'save it as .xlsx or CSV, and import that'],
  [/^word\/document\.xml$/, 'a Word document', 'save its tables as CSV, and import that'],
  [/^ppt\/presentation\.xml$/, 'a PowerPoint presentation', 'save its tables as CSV, and import that'],
  [/^mimetype$/, 'an OpenDocument file, such as .ods', 'save it as .xlsx or CSV, and import that'],
  [/^Index\/Document\.iwa$/, 'a document of Numbers or Pages', 'export it as .xlsx or CSV, and import that'],
  [/\.npy$/, 'an archive of NumPy arrays (.npz)', 'write the table to Parquet or CSV, and import that'],
  [/^META-INF\/MANIFEST\.MF$/, 'a Java archive', 'import files with data'],
  [/^AndroidManifest\.xml$/, 'an Android application', 'import files with data'],
]

/**
 * The members of a zip archive, from its directory. Their sizes and checksums are verified. Throws an Error with the
 * reason if the archive is damaged, or has a name that leads out of it.
 */
export async function* zipMembers(path: string): AsyncGenerator<Member> {
  const zip = await openPromise(path, { autoClose: false })
  try {
    for await (const entry of zip.eachEntry())
      yield {
        name: entry.fileName,
        isApart: true,
        isFile: !entry.fileName.endsWith('/'),
        fault: faultOf(entry),
        bytes: () => bytesOf(zip, entry),
      }
  } finally {
    zip.close()
  }
}

/** Whether a zip archive is a workbook. */
export async function isWorkbook(path: string): Promise<boolean> {
  for await (const { name } of zipMembers(path)) if (name === WORKBOOK) return true
  return false
}

/** What a zip archive is, with the next step, if it is a file of a kind that is not read; undefined for any other. */
export async function foreignZip(path: string): Promise<string | undefined> {
  for await (const { name } of zipMembers(path)) {
    const found = FOREIGN.find(([member]) => member.test(name))
    if (found !== undefined) return `is ${found[1]}: ${found[2]}`
  }
}

function faultOf(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return 'has a password: unpack it first'
  if (entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED) return
  return `is compressed by method ${entry.compressionMethod}, which is not read: unpack it first, or pack it with deflate`
}

async function* bytesOf(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  const stream = await zip.openReadStreamPromise(entry)
  let checksum = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (checksum !== entry.crc32) throw new Error('its checksum is wrong')
}

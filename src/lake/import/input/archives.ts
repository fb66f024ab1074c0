import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, firstLine } from '../../../engine/failure.ts'
import { writeFailure } from '../../store/durable.ts'
import type { Canceling } from './cancel.ts'
import { type Compression, type Container, lookAt } from './containers.ts'
import { unpackedFile } from './decompress.ts'
import { converterOf } from './encodings.ts'
import { type Endings, isNotData } from './endings.ts'
import { type BadInput, badInput, type FoundFile, type FoundInputs, oneLine, unreadable } from './inputs.ts'
import type { Member } from './member.ts'
import { tarMembers } from './tar.ts'
import { foreignZip, isWorkbook, zipMembers } from './zip.ts'

const MEBIBYTE = 1 << 20

/** What an archive may contain. More is taken for an attack, or a mistake. */
export const ARCHIVE_LIMITS = {
  /** Members of one archive. */
  members: 10_000,
  /** Unpacked size of all archives of an import. */
  bytes: 64 * 1024 * MEBIBYTE,
  /** Unpacked size of an archive, as a multiple of its own size, from `ratioFromBytes` on. */
  ratio: 250,
  ratioFromBytes: 64 * MEBIBYTE,
  /** Archives within archives. */
  depth: 2,
}

export type ArchiveLimits = typeof ARCHIVE_LIMITS

export interface Unpacking {
  /** The import's temporary folder. */
  readonly folder: string
  readonly endings: Endings
  readonly canceling: Canceling
  readonly limits?: ArchiveLimits
  /** The encoding of texts that are not UTF-8 or UTF-16. */
  readonly encoding?: string | undefined
}

const NAMES_SHOWN = 3
/** The cause of a Failure for an archive that exceeds a limit. */
const LIMIT = 'limit'

/**
 * Replaces the archives among the files by their members, which are unpacked into the folder under names of its own. Of
 * the members, those are taken that would be in a folder; the only member of an archive is taken whatever its name.
 * Bad are an archive that is damaged or exceeds a limit, none of whose members is taken, and a member that cannot be read
 * while others can.
 */
export async function unpackArchives(
  files: readonly FoundFile[],
  { folder, endings, canceling, encoding, limits = ARCHIVE_LIMITS }: Unpacking,
): Promise<FoundInputs> {
  let unpackedBytes = 0
  let number = 0

  async function unpack(file: FoundFile, depth: number): Promise<FoundInputs> {
    const { container, start } = await lookAt(file.path)
    const foreign = container === 'zip' ? await foreignZip(file.path) : undefined
    if (foreign !== undefined) throw refusal(file, foreign)
    const members = await membersOf(file, container)
    if (members === null) return { files: [await inUtf8(file, container, start)], bad: [] }
    if (depth === limits.depth)
      throw refusal(file, 'is an archive within archives: unpack the outer one first')
    const extracted = await extract(file, members)
    const inner = await unpackAll(extracted.files, depth + 1)
    return { files: inner.files, bad: [...extracted.bad, ...inner.bad] }
  }

  /** A text in another encoding as a file of the folder; any other file as it is. */
  async function inUtf8(file: FoundFile, container: Container, start: Buffer): Promise<FoundFile> {
    const convert = container === 'plain' || container === 'gzip' ? converterOf(start, encoding) : undefined
    if (convert === undefined) return file
    number += 1
    const path = pathOf(number)
    const packed = container === 'gzip' ? unpackedFile(file.path, 'gzip') : createReadStream(file.path)
    const content = { bytes: () => convert(packed) }
    return { ...file, path, bytes: await write(content, path, growing(file)) }
  }

  /** Counts the unpacked bytes of a file. Throws the Failure of a limit. */
  function growing(archive: FoundFile): (bytes: number) => void {
    let archiveBytes = 0
    return bytes => {
      canceling.check()
      archiveBytes += bytes
      unpackedBytes += bytes
      assertWithin(archive, archiveBytes, limits, unpackedBytes)
    }
  }

  async function unpackAll(all: readonly FoundFile[], depth: number): Promise<FoundInputs> {
    const unpacked: FoundFile[] = []
    const bad: BadInput[] = []
    for (const file of all)
      try {
        const found = await unpack(file, depth)
        unpacked.push(...found.files)
        bad.push(...found.bad)
      } catch (thrown) {
        canceling.check()
        bad.push(badInput(file.shown, refusalOf(file, thrown), file.origin))
      }
    return { files: unpacked, bad }
  }

  async function extract(archive: FoundFile, members: AsyncIterable<Member>): Promise<FoundInputs> {
    const before = { number, unpackedBytes }
    try {
      return await extractAll(archive, members)
    } catch (thrown) {
      for (let member = before.number + 1; member <= number; member += 1)
        await rm(pathOf(member), { force: true })
      unpackedBytes = before.unpackedBytes
      throw thrown
    }
  }

  const pathOf = (member: number) => join(folder, `member-${member}`)

  async function extractAll(archive: FoundFile, members: AsyncIterable<Member>): Promise<FoundInputs> {
    const taken: FoundFile[] = []
    const bad: BadInput[] = []
    const others: string[] = []
    let only: FoundFile | undefined
    let count = 0
    const grow = growing(archive)
    for await (const member of members) {
      count += 1
      if (count > limits.members)
        throw refusal(archive, `has more than ${limits.members} members: unpack it first`)
      if (!member.isFile || isNotData(member.name)) continue
      const isTaken = endings.isTaken(member.name)
      if (!isTaken && (others.push(member.name) > 1 || !archive.isNamed)) continue
      const shown = `${archive.shown}/${oneLine(member.name)}`
      number += 1
      const path = pathOf(number)
      const unread = { path, shown, origin: archive.origin, isNamed: false }
      try {
        if (member.fault !== undefined) throw refusal(unread, member.fault)
        const file = { ...unread, bytes: await write(member, path, grow) }
        if (isTaken) taken.push(file)
        else only = { ...file, isNamed: true }
      } catch (thrown) {
        canceling.check()
        if (!member.isApart || isOfArchive(thrown)) throw thrown
        bad.push(badInput(shown, refusalOf(unread, thrown), archive.origin))
        await rm(path, { force: true })
      }
    }
    if (taken.length > 0) return { files: taken, bad }
    if (only !== undefined && others.length === 1) return { files: [only], bad }
    if (!archive.isNamed || bad.length > 0) return { files: [], bad }
    const has =
      others.length === 0
        ? 'no files'
        : `${others.slice(0, NAMES_SHOWN).map(oneLine).join(', ')}${others.length > NAMES_SHOWN ? ', …' : ''}`
    throw refusal(archive, `has no ${endings.bare.join(', ')} file: it has ${has}`)
  }

  return unpackAll(files, 0)
}

/** Throws Failure `input_refused` if a file contains too much for its size, or all files of an import too much. */
export function assertWithin(
  file: Pick<FoundFile, 'shown' | 'bytes'>,
  unpackedBytes: number,
  limits = ARCHIVE_LIMITS,
  allBytes = unpackedBytes,
): void {
  if (allBytes > limits.bytes)
    throw refusal(file, `unpacks to more than ${limits.bytes / MEBIBYTE} MiB: unpack it first`, LIMIT)
  if (isBomb(file.bytes, unpackedBytes, limits))
    throw refusal(
      file,
      `unpacks to more than ${limits.ratio} times its size: unpack it first if that is right`,
      LIMIT,
    )
}

/** Whether a file that contains so much must be an attack, or a mistake. */
const isBomb = (bytes: number, unpackedBytes: number, { ratioFromBytes, ratio }: ArchiveLimits) =>
  unpackedBytes > ratioFromBytes && unpackedBytes > bytes * ratio

const refusal = ({ shown }: Pick<FoundFile, 'shown'>, reason: string, cause?: unknown) =>
  new Failure('input_refused', `${shown} ${reason}`, { cause })

/** The Failure for a file whose unpacking threw something. */
function refusalOf(file: Pick<FoundFile, 'shown'>, thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown
  if (thrown instanceof Error && 'syscall' in thrown) return unreadable(file.shown, thrown)
  return refusal(file, `cannot be unpacked: ${oneLine(firstLine(thrown))}: download it again`, thrown)
}

/** Whether a failure while a member is unpacked ends the archive: that of a limit, and that of the disk. */
const isOfArchive = (thrown: unknown) =>
  thrown instanceof Failure && (thrown.code !== 'input_refused' || thrown.cause === LIMIT)

/** The members of an archive; null for any other file. */
async function membersOf({ path }: FoundFile, container: Container): Promise<AsyncIterable<Member> | null> {
  if (container === 'zip') return (await isWorkbook(path)) ? null : zipMembers(path)
  const compression = TARS[container]
  if (compression !== undefined) return tarMembers(path, compression)
  return null
}

const TARS: Partial<Record<Container, Compression>> = {
  tar: 'none',
  'tar in gzip': 'gzip',
  'tar in zstd': 'zstd',
}

/** Writes a member to a file. Returns its size. */
async function write(
  member: Pick<Member, 'bytes'>,
  path: string,
  grow: (bytes: number) => void,
): Promise<number> {
  const failed = (thrown: unknown) => {
    throw writeFailure(path, thrown)
  }
  const file = await open(path, 'wx').catch(failed)
  let written = 0
  try {
    for await (const chunk of member.bytes()) {
      grow(chunk.length)
      await file.write(chunk).catch(failed)
      written += chunk.length
    }
  } finally {
    await file.close()
  }
  return written
}

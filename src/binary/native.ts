import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure, systemCode } from '../engine/failure.ts'
import { isOwn, isRunning, thisProcess } from '../engine/owner.ts'

/** A file with machine code, which the system can load from a folder only. */
export interface NativePart {
  readonly name: string
  readonly bytes: number
  /** Lower-case hexadecimal digits. */
  readonly sha256: string
}

/** Only their owner can write them, and everyone can load them. */
const MODE = 0o755
/** Of a size that stays in the processor's cache between reading and hashing. */
const CHUNK_BYTES = 2 ** 18
const CHOOSE = 'name another folder with --native-dir or TAPEHOUSE_NATIVE_DIR'

/** Name of the folder of these parts: other versions of them have another one. */
export function folderName(parts: readonly NativePart[]): string {
  const hash = createHash('sha256')
  for (const { name, sha256 } of parts) hash.update(`${name} ${sha256}\n`)
  return `native-${hash.digest('hex').slice(0, 16)}`
}

/**
 * The folder in `place` that holds the parts, each with its sha256. Extracts those that are missing or damaged: a file is
 * written under another name and renamed, so that several processes may do so at once, and a loaded file keeps its
 * contents. Throws `library_unavailable` if the folder cannot be written, or if another user could change the files.
 */
export function extracted(
  place: string,
  parts: readonly NativePart[],
  bytesOf: (part: NativePart) => Uint8Array,
): string {
  const folder = join(place, folderName(parts))
  try {
    makeFolder(folder)
    assertOwn(folder)
    const missing = parts.filter(part => !isIntact(folder, part))
    if (missing.length > 0) removeAbandoned(folder)
    for (const part of missing) write(folder, part, bytesOf(part))
  } catch (thrown) {
    throw thrown instanceof Failure || systemCode(thrown) === '' ? thrown : unwritable(folder, thrown)
  }
  return folder
}

/** Makes a folder and those above it. The recursive `mkdirSync` reports ENOENT for a read-only file system. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, MODE)
  } catch (thrown) {
    if (systemCode(thrown) !== 'EEXIST') throw thrown
  }
}

/** Throws unless the folder, and therefore its files, can be changed by this user and by root alone. */
function assertOwn(folder: string): void {
  if (isOwn(lstatSync(folder))) return
  throw new Failure(
    'library_unavailable',
    `another user can change DuckDB's library in ${folder}: remove this folder, or ${CHOOSE}`,
  )
}

/** Whether a file exists as it is in the binary. */
function isIntact(folder: string, { name, bytes, sha256 }: NativePart): boolean {
  let file: number
  try {
    file = openSync(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch (thrown) {
    if (['ENOENT', 'ELOOP'].includes(systemCode(thrown))) return false
    throw thrown
  }
  try {
    const stats = fstatSync(file)
    if (stats.size !== bytes || !isOwn(stats)) return false
    const hash = createHash('sha256')
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk))
      hash.update(length < chunk.length ? chunk.subarray(0, length) : chunk)
    return hash.digest('hex') === sha256
  } finally {
    closeSync(file)
  }
}

/** A file that is being written: the name of the part, the process that writes it, and its start time. */
const UNFINISHED = /^\.(?<name>.+)-(?<pid>\d{1,10})-(?<start>\d{1,20})-[0-9a-f]{12}$/

function write(folder: string, { name, sha256 }: NativePart, bytes: Uint8Array): void {
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Failure(
      'library_unavailable',
      `${process.execPath} is damaged: the file ${name} inside it has another checksum: install the program again`,
    )
  const { pid, start } = thisProcess()
  const unfinished = join(folder, `.${name}-${pid}-${start}-${randomBytes(6).toString('hex')}`)
  try {
    writeFileSync(unfinished, bytes, { flag: 'wx', mode: MODE })
    renameSync(unfinished, join(folder, name))
  } catch (thrown) {
    rmSync(unfinished, { force: true })
    throw thrown
  }
}

/** Removes the unfinished files of processes that were killed. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = UNFINISHED.exec(name)?.groups
    if (owner === undefined) continue
    if (!isRunning({ host: hostname(), pid: Number(owner.pid), start: Number(owner.start) }))
      rmSync(join(folder, name), { force: true })
  }
}

/** What is wrong with a folder that cannot be written, by the code of the system's error. */
const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EDQUOT: 'the disk quota of this user is used up',
  ENOENT: 'the folder above it cannot be made',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file has the name of a folder above it',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a read-only file system',
}

function unwritable(folder: string, thrown: unknown): Failure {
  const code = systemCode(thrown)
  return new Failure(
    'library_unavailable',
    `DuckDB's library cannot be extracted to ${folder}: ${PROBLEMS[code] ?? code}: ${CHOOSE}`,
    { cause: thrown },
  )
}

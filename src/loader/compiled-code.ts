import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isOwn } from '../engine/owner.ts'

/** Compiled code by the name of its module, e.g. `query.js`. */
export type CompiledCode = ReadonlyMap<string, Buffer>

/** One file has the compiled code of all modules of a kind of process: a few MiB. Larger ones are not read. */
const BYTES_MAX = 64 * 1024 ** 2
/** Files of other builds and of other versions of Node.js, the newest ones. */
const FILES_MAX = 24
const HASH_BYTES = 32
const LENGTH_BYTES = 4

/**
 * Reads what `keepCompiledCode` has written. Null if there is no such file, if it is damaged, or if another user could have
 * written it: V8 would run whatever is in it.
 */
export function readCompiledCode(path: string): CompiledCode | null {
  try {
    if (!isOwn(lstatSync(dirname(path)))) return null
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      const stats = fstatSync(file)
      return isOwn(stats) && stats.isFile() && stats.size <= BYTES_MAX ? unpacked(readFileSync(file)) : null
    } finally {
      closeSync(file)
    }
  } catch {
    // It does not exist or cannot be read.
    return null
  }
}

/** Writes a file that `readCompiledCode` reads, and removes the oldest ones beside it. Throws if it cannot be written. */
export function keepCompiledCode(path: string, code: CompiledCode): void {
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!isOwn(lstatSync(folder))) return
  const unfinished = join(folder, `.${basename(path)}-${process.pid}`)
  try {
    writeFileSync(unfinished, packed(code), { flag: 'wx', mode: 0o600 })
    renameSync(unfinished, path)
  } finally {
    rmSync(unfinished, { force: true })
  }
  removeOldest(folder)
}

/** A SHA-256 of all that follows, the length of the index, the index, and the code in its order. */
function packed(code: CompiledCode): Buffer {
  const index = Buffer.from(JSON.stringify([...code].map(([name, { length }]) => [name, length])))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(index.length)
  const content = Buffer.concat([length, index, ...code.values()])
  return Buffer.concat([createHash('sha256').update(content).digest(), content])
}

function unpacked(bytes: Buffer): CompiledCode | null {
  const content = bytes.subarray(HASH_BYTES)
  if (!createHash('sha256').update(content).digest().equals(bytes.subarray(0, HASH_BYTES))) return null
  const start = LENGTH_BYTES + content.readUInt32LE(0)
  const index: [name: string, length: number][] = JSON.parse(content.toString('utf8', LENGTH_BYTES, start))
  const code = new Map<string, Buffer>()
  let at = start
  for (const [name, length] of index) {
    code.set(name, content.subarray(at, at + length))
    at += length
  }
  return code
}

function removeOldest(folder: string): void {
  const paths = readdirSync(folder).map(name => join(folder, name))
  const changedMs = new Map(
    paths.map(path => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]),
  )
  const newest = paths.sort((one, other) => (changedMs.get(other) ?? 0) - (changedMs.get(one) ?? 0))
  for (const path of newest.slice(FILES_MAX)) rmSync(path, { recursive: true, force: true })
}

import { hash, randomUUID } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { Failure, firstLine, systemCode } from '../../engine/failure.ts'
import { isRunning, thisProcess } from '../../engine/owner.ts'
import { behindLinks } from '../../lake/store/layout.ts'

/** A stored token. The file contains its SHA-256 only, never the token itself. */
const StoredToken = Type.Object({
  name: Type.String({ minLength: 1 }),
  /** SHA-256 of the token in lower case, hexadecimal. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Patterns of operation ids, channels or paths. `*` matches any text. */
  routes: Type.Array(Type.String()),
  owner: Type.Union([Type.String(), Type.Null()]),
  /** May see the alerts of all owners. Default: false. */
  admin: Type.Optional(Type.Boolean()),
  created_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
})
export type StoredToken = Type.Static<typeof StoredToken>

const TokenFile = Type.Object({ format: Type.Literal(1), tokens: Type.Array(StoredToken) })

/** The digest under which a token is stored. Case does not matter, as in UUIDs. */
export function digestOf(token: string): string {
  return hash('sha256', token.toLowerCase())
}

/** The tokens in a file; none if it does not exist. Throws `tokens_unreadable` if it cannot be read or parsed. */
export function readTokens(path: string): readonly StoredToken[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!Value.Check(TokenFile, parsed)) throw new Error('not a tokens file of this version')
    return parsed.tokens
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return []
    throw new Failure(
      'tokens_unreadable',
      `the tokens file ${path} cannot be read (${firstLine(thrown)}): correct it, or remove it and create new tokens`,
      { cause: thrown },
    )
  }
}

export interface NewToken {
  readonly name: string
  readonly routes: readonly string[]
  readonly owner: string | null
  readonly admin?: boolean
  readonly expiresAt: Date | null
}

/** Adds a token and returns it. The file does not contain it. Throws `usage` if the name exists. */
export async function createToken(
  path: string,
  { name, routes, owner, admin, expiresAt }: NewToken,
): Promise<string> {
  const token = randomUUID()
  await changeTokens(path, tokens => {
    if (tokens.some(stored => stored.name === name)) {
      throw new Failure(
        'usage',
        `a token named ${name} exists already: revoke it first, or choose another name`,
      )
    }
    const created = {
      name,
      digest: digestOf(token),
      routes: [...routes],
      owner,
      ...(admin ? { admin } : {}),
      created_at: new Date().toISOString(),
      expires_at: expiresAt?.toISOString() ?? null,
    }
    return [...tokens, created]
  })
  return token
}

/** Removes the token with this name. Throws `usage` if there is none. */
export async function revokeToken(path: string, name: string): Promise<void> {
  // Found before anything is written: a wrong path gets neither a folder nor a lock.
  if (!readTokens(path).some(stored => stored.name === name)) {
    throw new Failure('usage', `there is no token named ${name}: run tapehouse token list to see the names`)
  }
  await changeTokens(path, tokens => tokens.filter(stored => stored.name !== name))
}

/** Changes the tokens under a lock. Readers see the old file or the new one. */
async function changeTokens(
  given: string,
  change: (tokens: readonly StoredToken[]) => readonly StoredToken[],
): Promise<void> {
  // A link stays one: whoever reads the file behind it sees the change too.
  const path = behindLinks(given)
  const lock = `${path}.lock`
  try {
    mkdirSync(dirname(path), { recursive: true })
    await takeLock(lock)
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown
    throw unwritable(path, thrown)
  }
  try {
    replace(path, `${JSON.stringify({ format: 1, tokens: change(readTokens(path)) }, null, 2)}\n`)
  } finally {
    rmSync(lock, { force: true })
  }
}

/**
 * Replaces the file by a complete one, or leaves it as it was. Its permissions, group and owner stay, as far as the user may set
 * them: a server of another user reads it. A new file is for its owner only.
 */
function replace(path: string, text: string): void {
  const next = `${path}.next`
  try {
    // What a command that was killed left may belong to another user, or have other permissions.
    rmSync(next, { force: true })
    const file = openSync(next, 'wx', 0o600)
    try {
      writeFileSync(file, text)
      keepAccess(file, statSync(path, { throwIfNoEntry: false }))
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(next, path)
  } catch (thrown) {
    rmSync(next, { force: true })
    throw unwritable(path, thrown)
  }
}

function keepAccess(file: number, before: Stats | undefined): void {
  if (before === undefined) return
  // Only root may keep another owner. Without its group, the file grants nothing to the one that it has instead.
  const keepsGroup = mayGive(file, before.uid, before.gid) || mayGive(file, SAME, before.gid)
  // After the owner, a change of which can clear some of them.
  fchmodSync(file, before.mode & (keepsGroup ? 0o777 : 0o707))
}

/** The id that leaves the owner as it is: see chown(2). */
const SAME = -1

function mayGive(file: number, uid: number, gid: number): boolean {
  try {
    fchownSync(file, uid, gid)
    return true
  } catch (thrown) {
    if (systemCode(thrown) !== 'EPERM') throw thrown
    return false
  }
}

const unwritable = (path: string, thrown: unknown) =>
  new Failure(
    'tokens_unreadable',
    `the tokens file ${path} cannot be written, and is as it was (${firstLine(thrown)}): free some disk space, or correct the permissions of its folder`,
    { cause: thrown },
  )

/** Makes a file with a text, or none. Throws EEXIST if there is one. */
function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, text)
  } catch (thrown) {
    rmSync(path, { force: true })
    throw thrown
  } finally {
    closeSync(file)
  }
}

const LOCK_TRIES = 40
const LOCK_TRY_EVERY_MS = 50

async function takeLock(lock: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      writeNew(lock, JSON.stringify(thisProcess()))
      return
    } catch (thrown) {
      if (systemCode(thrown) !== 'EEXIST') throw thrown
      if (removeLeft(lock)) continue
      if (tries === LOCK_TRIES) {
        throw new Failure(
          'tokens_unreadable',
          `another command has locked the tokens file: wait for it, or remove ${lock} if no command is running`,
        )
      }
      await setTimeout(LOCK_TRY_EVERY_MS)
    }
  }
}

const Holder = Type.Object({
  host: Type.String(),
  pid: Type.Integer({ minimum: 1 }),
  start: Type.Optional(Type.Integer()),
})

/** Removes the lock of a command that was killed. Returns whether it did. A lock that does not say whose it is stays. */
function removeLeft(lock: string): boolean {
  try {
    const text = readFileSync(lock, 'utf8')
    const holder: unknown = JSON.parse(text)
    if (!Value.Check(Holder, holder) || isRunning(holder) !== false) return false
    const aside = `${lock}.${randomUUID()}`
    renameSync(lock, aside)
    // Another command may have removed it first, and this is the lock that it holds.
    if (readFileSync(aside, 'utf8') !== text) linkSync(aside, lock)
    rmSync(aside)
    return true
  } catch {
    return false
  }
}

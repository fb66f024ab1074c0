import type { Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, firstLine, systemCode } from '../../../engine/failure.ts'
import { sha256OfFile } from '../../store/content.ts'
import type { Canceling } from './cancel.ts'
import { type Compression, compressionOf } from './containers.ts'
import { bareName, type Endings } from './endings.ts'

export interface FoundFile {
  readonly path: string
  /** The path for messages: as the user specified it, of a member after the path of its archive; without control characters. */
  readonly shown: string
  /** What the user specifies to import it: its path, that of its archive, or `-`. */
  readonly origin: string
  readonly bytes: number
  /** Whether the user named the file itself, and not only a folder above it. */
  readonly isNamed: boolean
}

export interface HashedFile extends FoundFile {
  /** The path without links. */
  readonly real: string
  readonly compression: Compression
  /** sha256 of the file's bytes, in hex. */
  readonly sha256: string
  /** Changes whenever the file changes, which it must not do between hashing and reading. */
  readonly version: string
}

/** A file, folder or pattern that cannot be read, and why. */
export interface BadInput {
  /** Its path for messages. */
  readonly file: string
  /** What the user specified. */
  readonly origin: string
  readonly failure: Failure
}

/** What was found of the inputs of an import. */
export interface FoundInputs {
  readonly files: readonly FoundFile[]
  readonly bad: readonly BadInput[]
}

/** One file to import. */
export interface Input extends HashedFile {
  /** Identifies the file in the lake: see `inputHash`. Before it is read, over all layouts that it may have. */
  readonly hash: string
  /** The same by the name of its layout; null: the columns of the format. */
  readonly hashes: ReadonlyMap<string | null, string>
}

/** The cause of a Failure for a file that is not a file of the format. */
export const OTHER_FORMAT = 'other format'

/** The Failure for a file that has none of the layouts of a format. */
export const noLayout = ({ shown }: Pick<HashedFile, 'shown'>, format: { readonly name: string }) =>
  new Failure(
    'input_refused',
    `${shown} has none of the layouts of ${format.name}: import it without a format, which recognises it, or describe it with --map-from`,
    { cause: OTHER_FORMAT },
  )

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g

/** A file's name or content for a message of one line. */
export const oneLine = (text: string) => text.replace(CONTROL, '?')

/** A file's name without its folders and compression. */
export const fileNameOf = ({ shown }: Pick<FoundFile, 'shown'>) => bareName(shown)

/** The Failure for a file or folder that the system does not let be read. */
export const unreadable = (path: string, thrown: unknown) =>
  new Failure('input_refused', `cannot read ${oneLine(path)}: ${reasonOf(thrown)}`, { cause: thrown })

function reasonOf(thrown: unknown): string {
  const code = systemCode(thrown)
  if (code === 'ENOENT') return 'no such file or folder'
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied: allow reading it'
  return firstLine(thrown)
}

const look = (path: string) =>
  stat(path).catch(thrown => {
    throw unreadable(path, thrown)
  })

/**
 * The files of `inputs`: each named file whatever its extension, and each file below a named folder that has data or
 * members by its name, sorted by name, without hidden files. A file that is found twice is returned once.
 */
export async function findFiles(inputs: readonly string[], endings: Endings): Promise<FoundInputs> {
  const files = new Map<string, FoundFile>()
  const folders = new Set<string>()
  const bad: BadInput[] = []
  const add = async (path: string, bytes: number, isNamed: boolean) => {
    const real = await realpath(path)
    if (isNamed || !files.has(real))
      files.set(real, { path, shown: oneLine(path), origin: path, bytes, isNamed })
  }

  /** Adds the files below `folder`. Returns whether there are any, good or bad. */
  const walk = async (folder: string): Promise<boolean> => {
    const real = await realpath(folder)
    if (folders.has(real)) return true
    folders.add(real)
    const names = await readdir(folder).catch(thrown => {
      bad.push(badInput(folder, unreadable(folder, thrown)))
    })
    let any = names === undefined
    for (const name of (names ?? []).filter(each => !each.startsWith('.')).sort()) {
      const path = join(folder, name)
      const entry = await stat(path).catch(thrown => {
        if (!endings.isTaken(name)) return
        bad.push(badInput(path, unreadable(path, thrown)))
        any = true
      })
      if (entry?.isDirectory()) any = (await walk(path)) || any
      if (!entry?.isFile() || !endings.isTaken(name)) continue
      await add(path, entry.size, false)
      any = true
    }
    return any
  }

  const take = async (input: string) => {
    const entry = await look(input)
    if (entry.isFile()) await add(input, entry.size, true)
    else if (!entry.isDirectory())
      throw new Failure(
        'input_refused',
        `${oneLine(input)} is neither a file nor a folder: specify a file or a folder`,
      )
    else if (!(await walk(input))) throw empty(input, endings)
  }
  for (const input of inputs) await take(input).catch(thrown => bad.push(badInput(input, thrown)))
  return { files: [...files.values()], bad }
}

/** A file or folder that cannot be read. Throws `thrown` if it does not refuse a file. */
export function badInput(path: string, thrown: unknown, origin = path): BadInput {
  if (!(thrown instanceof Failure && thrown.code === 'input_refused')) throw thrown
  return { file: oneLine(path), origin, failure: thrown }
}

function empty(folder: string, { bare }: Endings): Failure {
  const names = bare.join(', ').replace(/, ([^,]*)$/, ' or $1')
  return new Failure(
    'input_refused',
    `no ${names} file in ${oneLine(folder)}, compressed or in an archive either: specify a file, or a folder with such files`,
  )
}

export const bytesIn = (files: readonly Pick<FoundFile, 'bytes'>[]) =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)

export const versionOf = (entry: Stats) => `${entry.ino} ${entry.size} ${entry.mtimeMs}`

/** Hashes every file. `advance` receives the number of bytes of each read. */
export async function hashFiles(
  files: readonly FoundFile[],
  canceling: Canceling,
  advance: (bytes: number) => void,
): Promise<HashedFile[]> {
  const hashed: HashedFile[] = []
  for (const { path, shown, origin, isNamed } of files) {
    const entry = await look(path)
    const sha256 = await sha256OfFile(path, bytes => {
      canceling.check()
      advance(bytes)
    }).catch(thrown => {
      throw thrown instanceof Failure ? thrown : unreadable(path, thrown)
    })
    hashed.push({
      path,
      isNamed,
      shown,
      origin,
      real: await realpath(path),
      compression: await compressionOf(path, shown),
      bytes: entry.size,
      sha256,
      version: versionOf(entry),
    })
  }
  return hashed
}

/** Throws Failure `input_refused` if the file is no longer the one that was hashed. */
export async function assertUnchanged(input: Input): Promise<void> {
  if (versionOf(await look(input.path)) !== input.version)
    throw new Failure(
      'input_refused',
      `${input.shown} changed while it was imported: run the command again when the file is complete`,
    )
}

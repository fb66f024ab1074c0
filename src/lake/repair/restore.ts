import { existsSync } from 'node:fs'
import { copyFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from '../../engine/failure.ts'
import type { Base } from '../publish/base.ts'
import { contentHash, sha256OfFile } from '../store/content.ts'
import { currentNumber } from '../store/current.ts'
import { primitive, renameFile, syncFile, syncFolder } from '../store/durable.ts'
import { readText } from '../store/format.ts'
import { pathOf, supersededPath } from '../store/layout.ts'
import { type ManifestFile, readManifest } from '../store/manifest.ts'
import { type Entry, entriesOf, requireRecord } from '../store/record.ts'

/** Another copy of the lake, whose files may be damaged too. */
interface Replica {
  readonly base: Base
  /** Its folder, absolute. */
  readonly from: string
}

/**
 * Puts a file of a replica in the place of a damaged one, at once, if it has the sha256 of the manifest; otherwise changes
 * nothing. Returns whether it did.
 */
export async function restoreFile({ base, from }: Replica, file: ManifestFile): Promise<boolean> {
  const copy = join(base.staging, file.name.replaceAll('/', '.'))
  const isRight = (await copied(pathOf(from, file.name), copy, file.bytes)) && (await hasHash(copy, file))
  if (!isRight) {
    await rm(copy, { force: true })
    return false
  }
  await placeCopy(base.lake, copy, file.name)
  return true
}

/** The same for a manifest, whose name is the hash of its content. */
export async function restoreManifest({ base, from }: Replica, { manifest }: Entry): Promise<boolean> {
  const source = pathOf(from, manifest)
  const copy = join(base.staging, manifest.replaceAll('/', '.'))
  const { size } = await stat(source).catch(() => ({ size: 0 }))
  if (!(await copied(source, copy, size))) return false
  if (!manifest.endsWith(`/${contentHash((await readText(copy)) ?? '')}.json`)) {
    await rm(copy, { force: true })
    return false
  }
  await placeCopy(base.lake, copy, manifest)
  return true
}

/** Copies a file of this size. False if there is none. */
async function copied(source: string, copy: string, bytes: number): Promise<boolean> {
  try {
    const found = await stat(source)
    if (!found.isFile() || found.size !== bytes || bytes === 0) return false
  } catch (thrown) {
    if (/^(ENOENT|ENOTDIR|EACCES|EIO)$/.test(systemCode(thrown))) return false
    throw thrown
  }
  await primitive('copy', copy, () => copyFile(source, copy))
  return true
}

const hasHash = async (path: string, { sha256 }: ManifestFile) => (await sha256OfFile(path)) === sha256

/** Replaces the file of this name, wherever it is, by a copy that is right. */
async function placeCopy(lake: string, copy: string, name: string): Promise<void> {
  const place = pathOf(lake, name)
  await syncFile(copy)
  await renameFile(copy, place)
  await syncFolder(dirname(place))
}

/**
 * Another command may have published meanwhile, and moved a damaged file away before the right one came: moves restored files
 * that the current snapshot does not name to those of earlier ones.
 */
export async function settleRestored({ lake, number }: Base, names: readonly string[]): Promise<void> {
  for (let seen = number; ; ) {
    const current = await currentNumber(lake)
    if (current === seen) return
    seen = current
    const named = new Set<string>()
    for (const entry of entriesOf(await requireRecord(lake, current)))
      for (const { name } of (await readManifest(lake, entry)).files) named.add(name)
    for (const name of names.filter(each => !named.has(each))) {
      const [place, superseded] = [join(lake, name), supersededPath(lake, name)]
      if (existsSync(place)) await renameFile(place, superseded)
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { unlessAborted } from '../../engine/deadline.ts'
import { Failure, systemCode } from '../../engine/failure.ts'
import type { Guard, ParquetFile } from '../../engine/file-lists.ts'
import type { Observe } from '../../engine/observation.ts'
import { isSame, type Stamp, settlingMs, stampOf } from '../stamp/stamp.ts'
import { sha256OfFile } from '../store/content.ts'
import { locator, nameOf, STAGING } from '../store/layout.ts'
import type { LakeFile } from '../store/prune.ts'
import { type Damage, type DamagedFile, damageFailure, described } from './damage.ts'
import { LEADS_OUT, leadsOut } from './outside.ts'
import type { Remembered } from './remembered.ts'
import { inTurns } from './turns.ts'

/**
 * Keeps damaged files of a lake from being read. A file is proved by its sha256, which its manifest has, when it is first
 * used, and again when its inode, size or times have changed since. A file that fails is in quarantine until it passes.
 */
export interface Proofs extends Guard {
  /**
   * Null if all files are what they should be, else resolves once they are proved. Throws or rejects with lake_damaged if
   * one is not what its manifest says, and rejects with overloaded if it cannot be opened now. Files in `looked` are not looked
   * at: they were found to be so just before. Those that are found to be so are added.
   */
  check(lists: Iterable<readonly LakeFile[]>, looked?: Set<LakeFile>): Promise<void> | null
  /**
   * Reads a file and proves it, whatever is known of it. Resolves to whether it is what it should be; rejects with overloaded
   * if it cannot be opened now. `advance` receives the bytes of each read and is awaited before the next one.
   */
  proveAgain(file: LakeFile, advance?: Advance): Promise<boolean>
  /** The files in quarantine. */
  damaged(): readonly DamagedFile[]
  /** How often a file has failed so far. */
  readonly failures: number
  /** Drops files from the quarantine that no snapshot needs any longer. */
  release(isNeeded: (file: LakeFile) => boolean): void
  /** Remembers the proofs. */
  close(): void
}

export type Advance = (bytes: number) => void | Promise<void>

export interface ProofSettings {
  /** The lake's folder, absolute. Files elsewhere, and those that are not published yet, are this process's own: they are as they were when they were first used. */
  readonly lake: string
  /** Null: proofs end with the process. */
  readonly remembered: Remembered | null
  readonly observe: Observe
}

/** Files that are read for a proof at the same time. */
const READING_MAX = 2
/** Files whose proofs are kept. The others are proved again. As a `max` of the cache it would take memory for all of them at once. */
const PROOFS_MAX = 200_000
/** A file that changes while it is read is read again, at most this many times. */
const READS_MAX = 4
/** How often damaged files are looked at, so that a mended one is served. */
const LOOK_MS = 1000
/** New proofs are remembered after this time. */
const SAVE_MS = 2000

/** Errors that are not the file's. */
const TRANSIENT = /^(EMFILE|ENFILE|ENOMEM|EAGAIN)$/

interface Proof {
  readonly stamp: Stamp
  readonly sha256: string
}

export function openProofs({ lake, remembered, observe }: ProofSettings): Proofs {
  const locate = locator(lake)
  const proofs = new LRUCache<string, Proof>({ maxSize: PROOFS_MAX, sizeCalculation: () => 1 })
  const quarantine = new Map<string, Damage>()
  const proving = new Map<string, Promise<void>>()
  const inTurn = inTurns(READING_MAX)
  let failures = 0
  let looking: NodeJS.Timeout | undefined
  let saving: NodeJS.Timeout | undefined

  /** A publish may have moved the file to its other place. */
  function present({ path }: LakeFile): { path: string; stamp: Stamp | null } {
    const stamp = stampOf(path)
    const place = stamp === null ? locate(path) : path
    return stamp === null && place !== null ? { path: place, stamp: stampOf(place) } : { path, stamp }
  }

  /** Null if the file is proved. Throws if it is known to be damaged. */
  function look(file: LakeFile): Promise<void> | null {
    const { path, sha256 } = file
    const { stamp } = present(file)
    const proof = proofs.get(path)
    if (proof !== undefined && proof.sha256 === sha256 && isSame(proof.stamp, stamp)) return null
    const damage = quarantine.get(path)
    if (damage !== undefined && isSame(damage.stamp, stamp)) throw damageFailure(damage)
    const isOwn = proof === undefined && damage === undefined && isElsewhere(nameOf(lake, path))
    if (stamp !== null && (isOwn || (remembered?.has(path, stamp, sha256) && !leadsOut(lake, path)))) {
      accept(file, stamp)
      return null
    }
    return prove(file)
  }

  /** Requests that need the same file share its proof. */
  function prove(file: LakeFile): Promise<void> {
    const known = proving.get(file.path)
    if (known !== undefined) return known
    const proved = inTurn(() => read(file)).finally(() => proving.delete(file.path))
    // Whoever asked for it may have left.
    proved.catch(() => {})
    proving.set(file.path, proved)
    return proved
  }

  async function read(file: LakeFile, advance?: Advance): Promise<void> {
    for (let reads = 1; reads <= READS_MAX; reads += 1) {
      const { path, stamp } = present(file)
      if (stamp === null) return refuse({ file, stamp, reason: 'it does not exist' })
      if (leadsOut(lake, path)) return refuse({ file, stamp, reason: LEADS_OUT })
      const size = Number(stamp.size)
      if (size !== file.bytes)
        return refuse({ file, stamp, reason: `it has ${size} bytes and should have ${file.bytes}` })
      const settling = settlingMs(stamp, Date.now())
      if (settling > 0) await sleep(settling)
      const found = await sha256OfFile(path, advance).catch((thrown: unknown) => ({ thrown }))
      if (!isSame(stamp, present(file).stamp)) continue
      if (typeof found !== 'string') {
        if (TRANSIENT.test(systemCode(found.thrown)))
          throw new Failure('overloaded', 'the server cannot open more files now', { cause: found.thrown })
        return refuse({ file, stamp, reason: `it cannot be read: ${systemCode(found.thrown)}` })
      }
      if (found !== file.sha256)
        return refuse({ file, stamp, reason: `its sha256 is ${found} and should be ${file.sha256}` })
      accept(file, stamp)
      remembered?.add(file.path, stamp, found)
      saveSoon()
      return
    }
    refuse({ file, stamp: present(file).stamp, reason: 'it changes while it is read' })
  }

  function accept(file: LakeFile, stamp: Stamp): void {
    const { path, sha256 } = file
    const proof = proofs.get(path)
    // A proof that is the same stays: what is being read from the file is right.
    if (proof?.sha256 !== sha256 || !isSame(proof.stamp, stamp)) proofs.set(path, { stamp, sha256 })
    const damage = quarantine.get(file.path)
    if (damage === undefined) return
    quarantine.delete(file.path)
    observe({ kind: 'file_mended', ...described(damage) })
  }

  function refuse(damage: Damage): never {
    const { path } = damage.file
    const isNew = quarantine.get(path)?.reason !== damage.reason
    proofs.delete(path)
    quarantine.set(path, damage)
    // If the disk has decayed, its stamp is still that of the proof.
    remembered?.forget(path)
    saveSoon()
    failures += 1
    if (isNew) observe({ kind: 'file_damaged', ...described(damage) })
    looking ??= setInterval(lookAgain, LOOK_MS).unref()
    throw damageFailure(damage)
  }

  /** Proves damaged files that have changed. */
  function lookAgain(): void {
    for (const { file, stamp } of quarantine.values())
      if (!isSame(stamp, present(file).stamp)) prove(file).catch(() => {})
    if (quarantine.size > 0) return
    clearInterval(looking)
    looking = undefined
  }

  function saveSoon(): void {
    saving ??= setTimeout(save, SAVE_MS).unref()
  }

  function save(): void {
    clearTimeout(saving)
    saving = undefined
    remembered?.save()
  }

  function check(lists: Iterable<readonly LakeFile[]>, looked?: Set<LakeFile>): Promise<void> | null {
    const waiting: Promise<void>[] = []
    for (const list of lists)
      for (const file of list) {
        if (looked?.has(file)) continue
        const proved = look(file)
        if (proved === null) looked?.add(file)
        else waiting.push(proved)
      }
    return waiting.length === 0 ? null : Promise.all(waiting).then(() => {})
  }

  return {
    check,
    async hold(list, signal) {
      const files = list.map(ofLake)
      const proved = check([files])
      if (proved !== null) await unlessAborted(proved, signal)
      const held = files.map(file => ({ file, proof: proofs.get(file.path) }))
      return {
        isIntact: () =>
          held.every(
            ({ file, proof }) =>
              proof !== undefined &&
              proofs.get(file.path) === proof &&
              isSame(proof.stamp, present(file).stamp),
          ),
      }
    },
    proveAgain: (file, advance) =>
      // Without a turn, which a paced reading would hold for long.
      read(file, advance).then(
        () => true,
        thrown => {
          if (thrown instanceof Failure && thrown.code === 'lake_damaged') return false
          throw thrown
        },
      ),
    damaged: () => [...quarantine.values()].map(described),
    get failures() {
      return failures
    },
    release(isNeeded) {
      for (const [path, damage] of quarantine) {
        if (isNeeded(damage.file)) continue
        quarantine.delete(path)
        observe({ kind: 'file_mended', ...described(damage) })
      }
    },
    close() {
      clearInterval(looking)
      save()
    },
  }
}

/** Files of this process: outside the lake, or not published yet. */
const isElsewhere = (name: string | null) => name === null || name.startsWith(`${STAGING}/`)

/** A query that reads files without a manifest is a defect. */
function ofLake(file: ParquetFile): LakeFile {
  if (!('sha256' in file)) throw new Error(`${file.path} is not a file of a snapshot`)
  return file as LakeFile
}

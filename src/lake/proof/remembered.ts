import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { firstLine } from '../../engine/failure.ts'
import type { Observe } from '../../engine/observation.ts'
import { isSame, type Stamp, stampOf, stampText } from '../stamp/stamp.ts'
import { contentHash } from '../store/content.ts'

/** Proofs that outlive the process. */
export interface Remembered {
  /** Whether the file at `path` was proved to have this sha256 when it had this stamp. */
  has(path: string, stamp: Stamp, sha256: string): boolean
  add(path: string, stamp: Stamp, sha256: string): void
  /** The file was found to be damaged. */
  forget(path: string): void
  /** How far the lake was scrubbed; null if it was not. */
  scrub(): ScrubState | null
  setScrub(state: ScrubState): void
  /** Writes what has changed. A folder that cannot be written is reported once. */
  save(): void
}

/** Remembered files of a lake. Those that were proved longest ago are forgotten first, and are then proved again. */
const PROOFS_MAX = 50_000

const Time = Type.Integer({ minimum: 0 })
const Count = Type.Integer({ minimum: 0 })

/** How far the scrub of a lake has come. */
const ScrubState = Type.Object({
  /** When its pass over all files began, in milliseconds. */
  begunMs: Time,
  /** The name of the last file that it has read. */
  after: Type.String(),
  /** What it has read. */
  files: Count,
  bytes: Count,
  damaged: Count,
  /** When the last complete pass ended. */
  completedMs: Type.Union([Time, Type.Null()]),
})
export type ScrubState = Static<typeof ScrubState>

const shape = Compile(
  Type.Object({
    format: Type.Literal(1),
    /** The lake's folder, absolute. */
    lake: Type.String(),
    /** Path, and its stamp and sha256 as text; the oldest proof first. */
    proofs: Type.Array(Type.Tuple([Type.String(), Type.String()])),
    scrub: Type.Optional(ScrubState),
  }),
)

/**
 * The proofs of a lake's files in a file of `folder`, which is outside the lake. Several processes may share the file: each
 * adds its proofs to those of the others, and sees theirs. What cannot be read is forgotten.
 */
export function rememberedProofs(
  folder: string,
  lake: string,
  observe: Observe,
  proofsMax = PROOFS_MAX,
): Remembered {
  const path = join(folder, `${contentHash(lake)}.json`)
  let known = new Map<string, string>()
  let added = new Map<string, string>()
  const forgotten = new Set<string>()
  let scrubbed: ScrubState | null = null
  let isScrubNew = false
  let seen: Stamp | null = null
  let isRefused = false

  /** Reads the file again if another process has replaced it. */
  function refresh(): void {
    const stamp = stampOf(path)
    if (stamp === null || isSame(stamp, seen)) return
    seen = stamp
    const { proofs = [], scrub = null } = readState(path, lake) ?? {}
    known = new Map([...proofs, ...added])
    for (const file of forgotten) known.delete(file)
    if (!isScrubNew) scrubbed = scrub
  }

  return {
    has(file, stamp, sha256) {
      const wanted = textOf(stamp, sha256)
      if (known.get(file) === wanted) return true
      refresh()
      return known.get(file) === wanted
    },
    add(file, stamp, sha256) {
      forgotten.delete(file)
      for (const proofs of [known, added]) {
        // At the end, as the newest one.
        proofs.delete(file)
        proofs.set(file, textOf(stamp, sha256))
      }
    },
    forget(file) {
      refresh()
      added.delete(file)
      if (known.delete(file)) forgotten.add(file)
    },
    scrub() {
      refresh()
      return scrubbed
    },
    setScrub(state) {
      scrubbed = state
      isScrubNew = true
    },
    save() {
      if ((added.size === 0 && forgotten.size === 0 && !isScrubNew) || isRefused) return
      refresh()
      const proofs = [...known].slice(-proofsMax)
      const temporary = `${path}.${process.pid}`
      const scrub = scrubbed === null ? {} : { scrub: scrubbed }
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        writeFileSync(temporary, JSON.stringify({ format: 1, lake, proofs, ...scrub }), { mode: 0o600 })
        renameSync(temporary, path)
        added = new Map()
        forgotten.clear()
        isScrubNew = false
        known = new Map(proofs)
        seen = stampOf(path)
      } catch (thrown) {
        isRefused = true
        observe({
          kind: 'notice',
          message: `after a restart, the files of the lake will be read again, because proofs cannot be written: ${firstLine(thrown)}`,
        })
      }
    },
  }
}

const textOf = (stamp: Stamp, sha256: string) => `${stampText(stamp)} ${sha256}`

/** Null if the file cannot be read, or is not one of this lake. */
function readState(path: string, lake: string) {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return shape.Check(value) && value.lake === lake ? value : null
  } catch {
    return null
  }
}

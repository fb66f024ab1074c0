import { type BigIntStats, statSync } from 'node:fs'

/** What changes when the content of a file does, unless the disk itself decays. */
export type Stamp = Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>

/**
 * The stamp of a file; null if it does not exist or cannot be looked at. Synchronous, because the call takes two
 * microseconds, while one through the thread pool would queue after running queries.
 */
export function stampOf(path: string): Stamp | null {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
    if (stat === undefined) return null
    // Without the other fields: a stamp is kept for each file.
    return { ino: stat.ino, size: stat.size, mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs }
  } catch {
    return null
  }
}

export const isSame = (one: Stamp | null, other: Stamp | null): boolean =>
  one === null || other === null
    ? one === other
    : one.ctimeNs === other.ctimeNs &&
      one.mtimeNs === other.mtimeNs &&
      one.size === other.size &&
      one.ino === other.ino

export const stampText = ({ ino, size, mtimeNs, ctimeNs }: Stamp) => `${ino} ${size} ${mtimeNs} ${ctimeNs}`

/** A change within this time of another one may leave the same times in the file system, whose clock ticks every few ms. */
const TICK_MS = 20

/** The time to wait until a later change of the file will show in its stamp, in milliseconds. */
export function settlingMs({ ctimeNs }: Stamp, nowMs: number): number {
  const changedMs = Number(ctimeNs / 1_000_000n)
  return nowMs - changedMs < TICK_MS ? TICK_MS : 0
}

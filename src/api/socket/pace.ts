/**
 * How far a feed may deliver. Times are those of the tape over all laps, in milliseconds.
 *
 * The tape does not wait for clients: what passes from one tick to the next is due in any case. But a feed that is behind,
 * for example because it had to wait for a slice, would send what it missed faster than a client can read. It sends that
 * only while its clients keep reading.
 */
export interface Pace {
  /** Begins a tick, at which the tape is at `now`. */
  tick(now: number): void
  /** The time up to which the feed delivers in this tick in any case. */
  readonly due: number
  /** The time up to which it may deliver. */
  until(): number
  /** Notes that the feed has reached a time: what was due before it is delivered, or was due before the feed began. */
  reach(time: number): void
}

export function openPace(mayCatchUp: () => boolean): Pace {
  let reached = Number.NEGATIVE_INFINITY
  let due = Number.NEGATIVE_INFINITY
  let current: number | null = null

  return {
    tick(now) {
      due = reached + (now - (current ?? now))
      current = now
    },
    get due() {
      return due
    },
    until: () => (current === null ? due : due >= current || mayCatchUp() ? current : due),
    reach(time) {
      reached = Math.max(reached, time)
    },
  }
}

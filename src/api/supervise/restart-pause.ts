/** A worker that ended sooner than this after its start has failed. */
const SHORT_LIFE_MS = 5000
const PAUSE_MS = 250
const PAUSE_MS_MAX = 30_000

/**
 * The pauses before workers are restarted, so that workers that keep failing do not occupy the machine. The function takes
 * the lifetime of the worker that ended and returns the pause, both in milliseconds: none after a long life, else 500 ms,
 * which doubles with each consecutive short life, up to 30 s.
 */
export function restartPauses(): (livedMs: number) => number {
  let shortLives = 0
  return livedMs => {
    shortLives = livedMs < SHORT_LIFE_MS ? shortLives + 1 : 0
    return shortLives === 0 ? 0 : Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** shortLives)
  }
}

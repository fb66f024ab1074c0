/** Requests of each key per second. */
export interface Rate<Key extends object> {
  /** Counts a request, or returns the seconds after which the next one is permitted. */
  take(key: Key): number | null
}

interface Bucket {
  tokens: number
  filledAt: number
}

/** Permits `perSecond` requests a second, and as many at once after a second without any (a token bucket). */
export function openRate<Key extends object>(
  perSecond: number,
  now = performance.now.bind(performance),
): Rate<Key> | null {
  if (perSecond === 0) return null
  const buckets = new WeakMap<Key, Bucket>()
  return {
    take(key) {
      const at = now()
      const bucket = buckets.get(key) ?? { tokens: perSecond, filledAt: at }
      bucket.tokens = Math.min(perSecond, bucket.tokens + ((at - bucket.filledAt) / 1000) * perSecond)
      bucket.filledAt = at
      buckets.set(key, bucket)
      if (bucket.tokens < 1) return (1 - bucket.tokens) / perSecond
      bucket.tokens -= 1
      return null
    },
  }
}

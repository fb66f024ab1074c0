/** Threads of libuv's pool besides those that queries occupy, so that file reads and compression continue. */
const SPARE_THREADS = 4
/**
 * V8 collects young objects when those made since the last time have this size, or the buffers twice of it. With its default
 * of 16 MiB, the buffers of answers reach the limit of all objects first in some processes, which then mark their whole
 * heap every ten answers for as long as they run. A worker takes up to three times of it.
 */
const YOUNG_OBJECTS = '--max-semi-space-size=8'
/**
 * Settings of jemalloc, the allocator in DuckDB's library for Linux; others ignore them. Buffers of 64 KiB and more have an
 * arena of their own, whose memory goes back to the system when it is freed: most of them are reserved for many rows and used
 * for few, and fresh memory that is not touched takes none. Other memory goes back 0.1 s after it was freed, not after two
 * periods of a second.
 */
const ENGINE_ALLOCATOR = 'oversize_threshold:65536,dirty_decay_ms:100,muzzy_decay_ms:0'

/**
 * Settings of jemalloc in place of the C library's allocator: so many arenas as that has. With its default, which is four for each
 * processor, the process keeps more freed memory.
 */
const C_ALLOCATOR = 'narenas:2'

/** Makes a process take its memory from the library at `allocator` in place of the C library, unless that is null. */
export const allocatorEnvironment = (
  allocator: string | null,
  env: Readonly<Record<string, string | undefined>>,
) => ({ LD_PRELOAD: env.LD_PRELOAD ?? allocator ?? '', MALLOC_CONF: env.MALLOC_CONF ?? C_ALLOCATOR })

/**
 * What a worker finds in its environment besides that of the supervisor. What the user has set there comes first, also if it is
 * empty. `allocator` is the path of a library with a `malloc` in place of the C library's, or null.
 */
export const workerEnvironment = (
  { leasesMax, allocator }: { readonly leasesMax: number; readonly allocator: string | null },
  env: Readonly<Record<string, string | undefined>>,
) => ({
  ...allocatorEnvironment(allocator, env),
  UV_THREADPOOL_SIZE: String(leasesMax + SPARE_THREADS),
  // For the GNU allocator: with one arena per thread, the process would keep freed memory.
  MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? '2',
  DUCKDB_JE_MALLOC_CONF: env.DUCKDB_JE_MALLOC_CONF ?? ENGINE_ALLOCATOR,
  // The last one counts: that of the user.
  NODE_OPTIONS: `${YOUNG_OBJECTS} ${env.NODE_OPTIONS ?? ''}`,
})

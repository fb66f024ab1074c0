/**
 * An event of the program. The code that causes it reports it once; the log, the metrics and the terminal each decide
 * what to do with it. No observation contains a token, or a header or query string that could hold one.
 */
export type Observation =
  | {
      kind: 'request'
      requestId: string
      operation: string
      method: string
      path: string
      status: number
      durationMs: number
      bytes: number
      token: string | null
      /** The address of the client, or of the proxy in front of it that is not trusted. */
      client: string
      /** Whether the answer was in the cache, the client had it already, or it was computed; null if it is no answer. */
      cache: CacheUse | null
      /** Why the status is 503; null for another status. */
      reason: string | null
    }
  | { kind: 'failed'; requestId: string; operation: string; error: Error }
  | {
      kind: 'query'
      operation: string
      durationMs: number
      queuedMs: number
      outcome: QueryOutcome
    }
  /** The sandbox of the engine did not refuse what it must refuse. */
  | { kind: 'sandbox_breach'; what: string; reason: string }
  | { kind: 'query_stuck'; operation: string; durationMs: number }
  | { kind: 'snapshot_served'; snapshot: number }
  | { kind: 'snapshot_refused'; reason: string }
  | { kind: 'file_damaged'; dataset: string; days: string; file: string; reason: string }
  | { kind: 'file_mended'; dataset: string; days: string; file: string; reason: string }
  /** All files were read again; `damaged` are those that were not what they should be. */
  | { kind: 'lake_scrubbed'; snapshot: number; files: number; bytes: number; damaged: number; hours: number }
  | { kind: 'tokens_loaded'; tokens: number }
  | { kind: 'tokens_refused'; reason: string }
  | { kind: 'certificate_loaded'; expires: string }
  | { kind: 'certificate_refused'; reason: string }
  | { kind: 'socket_opened'; requestId: string; token: string; encoding: string }
  | {
      kind: 'socket_closed'
      requestId: string
      token: string
      end: SocketEnd
      /** Close code of the WebSocket protocol. */
      code: number
      durationMs: number
      messages: number
    }
  | { kind: 'stream_sent'; channel: string; messages: number }
  | { kind: 'stream_failed'; channel: string; reason: string }
  | { kind: 'worker_started'; worker: number; workerPid: number }
  | {
      kind: 'worker_ended'
      worker: number
      workerPid: number
      reason: string
      /** The pause before another one is started; null if another one runs in its place already. */
      pauseMs: number | null
    }
  /** A worker that still runs gets no new connections, because another one takes its place. */
  | { kind: 'worker_replaced'; worker: number; workerPid: number; cause: Sickness; reason: string }
  | { kind: 'worker_retired'; worker: number; workerPid: number }
  | { kind: 'restarting'; signal: string }
  | { kind: 'restarted'; workers: number }
  | { kind: 'restart_refused'; reason: string }
  /** Responses that were under way when the time to finish them ended: their connections were reset. */
  | { kind: 'responses_broken'; responses: number }
  /** Lines of the log that were dropped, because nobody read it. */
  | { kind: 'log_dropped'; lines: number }
  /** `preloaded` is what the dynamic linker loads into each worker first, usually an allocator. */
  | { kind: 'listening'; url: string; preloaded: string | null }
  /** What `/-/ready` answers, if it differs from its last answer. Only an outdated lake has a reason. */
  | {
      kind: 'readiness'
      status: 'starting' | 'ready' | 'outdated' | 'draining'
      reason: string | null
    }
  | { kind: 'draining'; signal: string }
  | { kind: 'progress'; task: string; done: number; total: number; unit: string }
  | { kind: 'notice'; message: string }

export type CacheUse = 'hit' | 'match' | 'miss'

/** Why a worker is replaced although it runs. */
export type Sickness = 'silent' | 'stuck' | 'memory' | 'engine' | 'terminated'

export type Observe = (observation: Observation) => void

export type QueryOutcome = 'done' | 'canceled' | 'deadline_exceeded' | 'failed'

/** Why a socket was closed: the client left, or the server dropped it. */
export type SocketEnd = 'left' | 'slow' | 'unresponsive' | 'revoked' | 'draining'

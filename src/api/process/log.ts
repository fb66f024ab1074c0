import { type Logger, pino } from 'pino'
import type { Observation, Observe } from '../../engine/observation.ts'
import { type LogFile, logFile } from './log-file.ts'

/** The log level of each kind of observation. */
const LEVELS: Record<Observation['kind'], 'debug' | 'info' | 'warn' | 'error'> = {
  request: 'info',
  failed: 'error',
  query: 'debug',
  query_stuck: 'error',
  sandbox_breach: 'error',
  snapshot_served: 'info',
  snapshot_refused: 'error',
  file_damaged: 'error',
  file_mended: 'info',
  lake_scrubbed: 'info',
  tokens_loaded: 'info',
  tokens_refused: 'error',
  certificate_loaded: 'info',
  certificate_refused: 'error',
  socket_opened: 'info',
  socket_closed: 'info',
  stream_sent: 'debug',
  stream_failed: 'error',
  worker_started: 'info',
  worker_ended: 'warn',
  worker_replaced: 'warn',
  worker_retired: 'info',
  restarting: 'info',
  restarted: 'info',
  restart_refused: 'error',
  responses_broken: 'warn',
  log_dropped: 'warn',
  listening: 'info',
  readiness: 'info',
  draining: 'info',
  progress: 'debug',
  notice: 'warn',
}

/** Whether an observation is of the normal course of things. */
export const isRoutine = ({ kind }: Observation): boolean => ['debug', 'info'].includes(LEVELS[kind])

/** Times in milliseconds have a tenth; counts are whole. */
const rounded = (value: number) => Math.round(value * 10) / 10

/** A log, and the file that it is written to. */
export interface Log {
  readonly observe: Observe
  readonly file: LogFile
}

/** Logs to standard error, which may be a pipe that nobody reads: dropped lines are counted, and logged once it flows again. */
export function logToStandardError(level: string): Log {
  const file = logFile(2, lines => observe({ kind: 'log_dropped', lines }))
  const gathered = gatherLines(file)
  const observe = logTo(level, gathered)
  return {
    observe,
    file: {
      write: text => file.write(text),
      get dropped() {
        return file.dropped
      },
      end(limitMs) {
        gathered.flush()
        return file.end(limitMs)
      },
    },
  }
}

/**
 * Logs observations, one JSON object per line, with `kind` as the message. Fields that are null are left out. Lines of
 * requests are gathered; any other line is written at once, after them.
 */
export function logTo(level: string, lines: GatheredLines): Observe {
  const log: Logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    lines,
  )
  return observation => {
    // What is not logged, as a query is not above `debug`, does not write what is gathered.
    if (!log.isLevelEnabled(LEVELS[observation.kind])) return
    if (observation.kind === 'request') {
      lines.write(requestLine(observation))
      return
    }
    const line: Record<string, unknown> = {}
    let name: keyof typeof observation
    for (name in observation) {
      const value: unknown = observation[name]
      if (value === null || name === 'kind') continue
      line[value instanceof Error ? 'err' : name] = typeof value === 'number' ? rounded(value) : value
    }
    log[LEVELS[observation.kind]](line, observation.kind)
    lines.flush()
  }
}

/** What pino would write of a request at the level `info`, in a third of the time. */
function requestLine(request: Extract<Observation, { kind: 'request' }>): string {
  const { requestId, operation, method, path, status, durationMs, bytes, token, client, cache, reason } =
    request
  return (
    `{"level":30,"time":"${isoTime()}","pid":${process.pid},"requestId":${quoted(requestId)}` +
    `,"operation":${quoted(operation)},"method":${quoted(method)},"path":${quoted(path)}` +
    `,"status":${status},"durationMs":${rounded(durationMs)},"bytes":${bytes}` +
    `${token === null ? '' : `,"token":${quoted(token)}`},"client":${quoted(client)}` +
    `${cache === null ? '' : `,"cache":"${cache}"`}${reason === null ? '' : `,"reason":${quoted(reason)}`}` +
    ',"msg":"request"}\n'
  )
}

/** Characters that JSON has as they are. */
const PLAIN = /^[ !#-[\]-~]*$/

/** A text in JSON. */
const quoted = (text: string) => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** The time now in ISO 8601. It is written once in a millisecond, which takes as long as half of a line. */
const isoTime = (() => {
  let writtenMs = Number.NaN
  let written = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== writtenMs) {
      writtenMs = nowMs
      written = new Date(nowMs).toISOString()
    }
    return written
  }
})()

export interface GatheredLines {
  write(line: string): void
  /** Writes what is gathered. */
  flush(): void
}

/** Lines wait at most this long for those that follow. */
const GATHERED_MS = 100
/** Lines do not wait beyond this length. */
const GATHERED_CHARACTERS_MAX = 32 * 1024

/**
 * Lines for a file. A line is written at once, unless another one was within the last 100 ms: then it is written with those
 * that follow, at the end of this time, or when the process exits. A write of its own takes a worker, and the supervisor that
 * passes it on, as long as much of a small answer.
 */
export function gatherLines(file: Pick<LogFile, 'write'>): GatheredLines {
  let gathered = ''
  let waiting: NodeJS.Timeout | null = null
  const flush = () => {
    if (gathered === '') return
    const text = gathered
    gathered = ''
    file.write(text)
  }
  const elapsed = () => {
    waiting = null
    if (gathered === '') return
    flush()
    wait()
  }
  const wait = () => {
    waiting = setTimeout(elapsed, GATHERED_MS).unref()
  }
  process.once('exit', flush)
  return {
    write(line) {
      gathered += line
      if (waiting !== null && gathered.length < GATHERED_CHARACTERS_MAX) return
      flush()
      if (waiting === null) wait()
    },
    flush,
  }
}

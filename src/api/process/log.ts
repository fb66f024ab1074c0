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
  const observe = logTo(level, file)
  return { observe, file }
}

/**
 * Logs observations to a file, one JSON object per line, with `kind` as the message. Fields that are null are left out. Of
 * the requests that end in one turn of the event loop, all lines but the first are written together at its end; any other
 * line is written at once, after them.
 */
export function logTo(level: string, file: Pick<LogFile, 'write'>): Observe {
  const lines = gatherLines(file)
  const log: Logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    lines,
  )
  return observation => {
    const line: Record<string, unknown> = {}
    let name: keyof typeof observation
    for (name in observation) {
      const value: unknown = observation[name]
      if (value === null || name === 'kind') continue
      line[value instanceof Error ? 'err' : name] = typeof value === 'number' ? rounded(value) : value
    }
    log[LEVELS[observation.kind]](line, observation.kind)
    if (observation.kind !== 'request') lines.flush()
  }
}

interface GatheredLines {
  write(line: string): void
  /** Writes what is gathered. */
  flush(): void
}

/**
 * Lines for a file. The first one of a turn of the event loop is written at once, the others at its end, or when the process
 * exits.
 */
function gatherLines(file: Pick<LogFile, 'write'>): GatheredLines {
  let gathered = ''
  let isTurnBegun = false
  const flush = () => {
    if (gathered === '') return
    const text = gathered
    gathered = ''
    file.write(text)
  }
  process.once('exit', flush)
  return {
    write(line) {
      gathered += line
      if (isTurnBegun) return
      isTurnBegun = true
      flush()
      setImmediate(() => {
        isTurnBegun = false
        flush()
      })
    },
    flush,
  }
}

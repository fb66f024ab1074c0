import { type Logger, pino } from 'pino'
import type { Observation, Observe } from '../../engine/observation.ts'

/** The log level of each kind of observation. */
const LEVELS: Record<Observation['kind'], 'debug' | 'info' | 'warn' | 'error'> = {
  request: 'info',
  failed: 'error',
  query: 'debug',
  query_stuck: 'error',
  snapshot_served: 'info',
  snapshot_refused: 'error',
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
  listening: 'info',
  draining: 'info',
  progress: 'debug',
  notice: 'warn',
}

/** Times in milliseconds have a tenth; counts are whole. */
const rounded = (value: number) => Math.round(value * 10) / 10

/**
 * Logs observations to standard error, one JSON object per line, with `kind` as the message. Fields that are null are left
 * out.
 */
export function logTo(level: string): Observe {
  const log: Logger = pino(
    { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  )
  return ({ kind, ...fields }) => {
    const { error, ...rest } = fields as { error?: Error } & Record<string, unknown>
    const known = Object.entries(rest).flatMap(([name, value]) =>
      value === null ? [] : [[name, typeof value === 'number' ? rounded(value) : value]],
    )
    log[LEVELS[kind]]({ ...Object.fromEntries(known), ...(error ? { err: error } : {}) }, kind)
  }
}

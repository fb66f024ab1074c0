/**
 * All expected failures in one table: the HTTP status of the request and the exit code of the command. Any other error
 * is a defect: status 500, exit code 1, the cause in the log.
 */
export const FAILURES = {
  usage: { status: 500, exit: 2 },
  overloaded: { status: 503, exit: 1 },
  out_of_memory: { status: 503, exit: 1 },
  deadline_exceeded: { status: 503, exit: 1 },
  canceled: { status: 499, exit: 1 },
  invalid_request: { status: 422, exit: 2 },
  not_found: { status: 404, exit: 1 },
  lake_missing: { status: 500, exit: 1 },
  lake_newer: { status: 500, exit: 1 },
  lake_damaged: { status: 500, exit: 1 },
  lake_conflict: { status: 500, exit: 1 },
  lake_write: { status: 500, exit: 1 },
  input_refused: { status: 500, exit: 1 },
  tokens_unreadable: { status: 500, exit: 1 },
  port_unavailable: { status: 500, exit: 1 },
  start_refused: { status: 500, exit: 1 },
} as const

export type FailureCode = keyof typeof FAILURES

/** An expected failure. `message` is one line that says what was wrong with which value, and what to do. */
export class Failure extends Error {
  readonly code: FailureCode
  constructor(code: FailureCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'Failure'
    this.code = code
  }
}

/** The first line of a thrown value's message, without a trailing full stop. */
export function firstLine(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return (text.split('\n', 1)[0] ?? '').replace(/\.$/, '')
}

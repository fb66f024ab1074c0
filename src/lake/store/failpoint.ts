import { appendFileSync, readSync, writeSync } from 'node:fs'

const {
  TAPEHOUSE_FAILPOINT: target,
  TAPEHOUSE_FAILPOINTS_TRACE: trace,
  TAPEHOUSE_FAILPOINTS_STAND: stand,
} = process.env

let passed = 0

function pass(step: string): void {
  passed += 1
  if (trace) appendFileSync(trace, `${step}\n`)
  // SIGKILL runs no handler and flushes nothing, like a power failure.
  if (passed === Number(target)) process.kill(process.pid, 'SIGKILL')
  if (stand) waitAt(Number(stand), step)
}

/** Writes the step to the socket and blocks the whole process until a byte arrives. */
function waitAt(socket: number, step: string): void {
  writeSync(socket, `${step}\n`)
  readSync(socket, new Uint8Array(1))
}

/**
 * A point where a test can stop a publish, before or after one file operation. With TAPEHOUSE_FAILPOINT=n the process
 * kills itself at the n-th failpoint (from 1); with TAPEHOUSE_FAILPOINTS_TRACE=file it appends the name of each step to
 * that file; with TAPEHOUSE_FAILPOINTS_STAND=n it writes the name of each step as a line to file descriptor n and waits
 * for a byte.
 */
export const failpoint: (step: string) => void = target || trace || stand ? pass : () => {}

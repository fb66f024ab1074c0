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
  // SIGKILL runs no handler and flushes nothing: what the power cord does to a process.
  if (passed === Number(target)) process.kill(process.pid, 'SIGKILL')
  if (stand) standStill(Number(stand), step)
}

/** Says which step it is at, and goes on when it is told to; nothing else of the program runs meanwhile. */
function standStill(socket: number, step: string): void {
  writeSync(socket, `${step}\n`)
  readSync(socket, new Uint8Array(1))
}

/**
 * A place where a publish may die, before or after one primitive. With TAPEHOUSE_FAILPOINT=n the process kills itself
 * at the n-th it passes (from 1); with TAPEHOUSE_FAILPOINTS_TRACE=file it appends each step's name to that file; with
 * TAPEHOUSE_FAILPOINTS_STAND=n it writes each step's name as a line to file descriptor n and waits there for a byte.
 */
export const failpoint: (step: string) => void = target || trace || stand ? pass : () => {}

import { appendFileSync } from 'node:fs'

const { TAPEHOUSE_FAILPOINT: target, TAPEHOUSE_FAILPOINTS_TRACE: trace } = process.env

let passed = 0

function pass(step: string): void {
  passed += 1
  if (trace) appendFileSync(trace, `${step}\n`)
  // SIGKILL runs no handler and flushes nothing: what the power cord does to a process.
  if (passed === Number(target)) process.kill(process.pid, 'SIGKILL')
}

/**
 * A place where a publish may die, before or after one primitive. With TAPEHOUSE_FAILPOINT=n the process kills itself
 * at the n-th it passes (from 1); with TAPEHOUSE_FAILPOINTS_TRACE=file it appends each step's name to that file.
 */
export const failpoint: (step: string) => void = target || trace ? pass : () => {}

import { renameSync, writeFileSync } from 'node:fs'
import { Failure, firstLine } from '../../engine/failure.ts'

/** Measures the steps of a maintenance, for Prometheus. */
export interface StepRuns {
  /** Runs a step and remembers its outcome. Rejects if the step does. */
  step<T>(name: string, run: () => Promise<T>): Promise<T>
  /** Writes what is remembered. Without a file, nothing. */
  write(): void
}

export function stepRuns(file: string | undefined): StepRuns {
  const ran: { readonly name: string; readonly seconds: number; readonly failed: boolean }[] = []
  return {
    async step(name, run) {
      const started = performance.now()
      let failed = true
      try {
        const result = await run()
        failed = false
        return result
      } finally {
        ran.push({ name, seconds: (performance.now() - started) / 1000, failed })
      }
    },
    write() {
      if (file === undefined) return
      const success = ran.every(({ failed }) => !failed)
      const lines = [
        '# HELP tapehouse_maintain_success Whether the last maintenance succeeded.',
        '# TYPE tapehouse_maintain_success gauge',
        `tapehouse_maintain_success ${success ? 1 : 0}`,
        '# HELP tapehouse_maintain_ended_timestamp_seconds When the last maintenance ended.',
        '# TYPE tapehouse_maintain_ended_timestamp_seconds gauge',
        `tapehouse_maintain_ended_timestamp_seconds ${Math.floor(Date.now() / 1000)}`,
        '# HELP tapehouse_maintain_step_seconds Duration of each step of the last maintenance.',
        '# TYPE tapehouse_maintain_step_seconds gauge',
        ...ran.map(
          ({ name, seconds }) => `tapehouse_maintain_step_seconds{step="${name}"} ${seconds.toFixed(3)}`,
        ),
      ]
      replace(file, `${lines.join('\n')}\n`)
    },
  }
}

/** A collector never reads half a file. */
function replace(file: string, content: string): void {
  try {
    writeFileSync(`${file}.part`, content)
    renameSync(`${file}.part`, file)
  } catch (thrown) {
    throw new Failure('lake_write', `the metrics file ${file} cannot be written: ${firstLine(thrown)}`, {
      cause: thrown,
    })
  }
}

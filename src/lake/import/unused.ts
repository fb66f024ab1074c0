import type { Observe } from '../../engine/observation.ts'
import { type Input, oneLine } from './input/inputs.ts'

/** Reports the columns that are not imported, once for all files that have the same ones. */
export function unusedNotices(observe: Observe) {
  const reported = new Set<string>()
  return ({ shown }: Input, columns: readonly string[]) => {
    const names = columns.map(oneLine).join(', ')
    if (names === '' || reported.has(names)) return
    reported.add(names)
    observe({ kind: 'notice', message: `columns of ${shown} that are not imported: ${names}` })
  }
}

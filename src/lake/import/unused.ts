import type { Observe } from '../../engine/observation.ts'
import { isRejectColumn } from './format/reject-columns.ts'
import { type Input, oneLine } from './input/inputs.ts'

/** Columns that are not imported, of a file and of others that have the same ones. */
export interface UnusedColumns {
  readonly file: string
  readonly columns: readonly string[]
}

/** Collects the columns that are not imported, once for all files that have the same ones, and reports them. */
export function unusedColumns(observe: Observe) {
  const found = new Map<string, UnusedColumns>()
  return {
    all: () => [...found.values()],
    add({ shown }: Input, columns: readonly string[]) {
      const own = columns.filter(name => !isRejectColumn(name)).map(oneLine)
      const names = own.join(', ')
      if (names === '' || found.has(names)) return
      found.set(names, { file: shown, columns: own })
      observe({ kind: 'notice', message: `columns of ${shown} that are not imported: ${names}` })
    },
  }
}

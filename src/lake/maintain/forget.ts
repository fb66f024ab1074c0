import { entriesIn, readReplaced } from '../land/replaced.ts'
import { spanOf } from '../store/partition.ts'
import type { DropSelection } from './selection.ts'

/**
 * The imports that can still be undone after rows were dropped: those that changed no partition which may have had such
 * rows. An undo of another one would bring dropped rows back, and vacuum would keep them. `undoable` are the names of
 * the files that list what was replaced.
 */
export async function undoableAfter(
  lake: string,
  undoable: readonly string[],
  selections: readonly DropSelection[],
): Promise<string[]> {
  const stay: string[] = []
  for (const name of undoable) {
    const replaced = await readReplaced(lake, name)
    const changed = [...entriesIn(replaced?.before ?? {}), ...entriesIn(replaced?.after ?? {})]
    const isOver = changed.some(entry =>
      selections.some(
        ({ dataset, tickers, before }) =>
          entry.dataset === dataset.name &&
          (tickers !== null || before === null || spanOf(entry.partition).from < before),
      ),
    )
    if (!isOver) stay.push(name)
  }
  return stay
}

import { dirname, join } from 'node:path'
import { entriesBelow } from '../store/entries-below.ts'
import { MARKER } from '../store/layout.ts'

/**
 * Parquet files in the folders of datasets that the current snapshot does not name: other programs that read a folder
 * count their rows too. Leaves out folders in which a publish moves files, which other programs cannot read. Names are
 * relative to the lake.
 */
export async function strayFiles(
  lake: string,
  datasets: readonly string[],
  named: ReadonlySet<string>,
): Promise<string[]> {
  const found: string[] = []
  for (const dataset of datasets) {
    const entries = await entriesBelow(join(lake, dataset)).catch(() => [])
    const files = entries
      .filter(entry => !entry.isDirectory() && entry.name.endsWith('.parquet'))
      .map(entry => ({
        isMarker: MARKER.test(entry.name),
        name: join(entry.parentPath, entry.name).slice(lake.length + 1),
      }))
    const marked = new Set(files.filter(({ isMarker }) => isMarker).map(({ name }) => dirname(name)))
    found.push(
      ...files.map(({ name }) => name).filter(name => !named.has(name) && !marked.has(dirname(name))),
    )
  }
  return found.toSorted()
}

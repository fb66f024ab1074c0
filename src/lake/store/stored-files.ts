import type { ParquetFile } from '../../engine/file-lists.ts'
import type { Dataset } from './datasets.ts'
import type { Manifest, ManifestFile } from './manifest.ts'
import { isOlder } from './stored-columns.ts'

/** The files of some of a dataset's manifests, with the paths that `path` returns. */
export const storedFiles = (
  dataset: Dataset,
  manifests: readonly Manifest[],
  path: (file: ManifestFile) => string,
): ParquetFile[] =>
  manifests.flatMap(({ columns, files }) =>
    files.map(file => ({ path: path(file), isOlder: isOlder(dataset, columns) })),
  )

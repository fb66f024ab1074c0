import type { Dataset } from './datasets.ts'
import type { Manifest, ManifestFile } from './manifest.ts'
import type { LakeFile } from './prune.ts'
import { isOlder } from './stored-columns.ts'

/** The files of some of a dataset's manifests, with the paths that `path` returns. */
export const storedFiles = (
  dataset: Dataset,
  manifests: readonly Manifest[],
  path: (file: ManifestFile) => string,
): LakeFile[] =>
  manifests.flatMap(({ columns, files }) =>
    files.map(file => ({
      ...file,
      dataset: dataset.name,
      path: path(file),
      isOlder: isOlder(dataset, columns),
    })),
  )

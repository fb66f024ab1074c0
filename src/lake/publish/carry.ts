import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { OWN_NAME } from '../store/content.ts'
import { linkFile } from '../store/durable.ts'
import { damaged } from '../store/format.ts'
import { pathOf } from '../store/layout.ts'
import type { Manifest } from '../store/manifest.ts'
import type { StagedFile } from '../store/written-file.ts'
import type { Base } from './base.ts'
import type { Change } from './publish.ts'

/** A manifest whose own files have the names of the present format; adopted files keep theirs. */
export const withPresentNames = (manifest: Manifest): Manifest => ({
  ...manifest,
  files: manifest.files.map(file => {
    const name = basename(file.name)
    return OWN_NAME.test(name) ? { ...file, name: `${manifest.dataset}/${manifest.partition}/${name}` } : file
  }),
})

/**
 * The change that gives a partition the content of a stored manifest, with links in the staging folder for files that
 * get another name. Rejects with lake_damaged if a file is missing.
 */
export async function carriedOver({ lake, staging }: Base, stored: Manifest): Promise<Change> {
  const manifest = withPresentNames(stored)
  const staged: StagedFile[] = []
  for (const [index, { name: from }] of stored.files.entries()) {
    const file = manifest.files[index]
    const path = pathOf(lake, from)
    if (!existsSync(path)) throw damaged(join(lake, from), 'it does not exist')
    if (file === undefined || file.name === from) continue
    const link = join(staging, basename(from))
    await linkFile(path, link)
    staged.push({ path: link, file })
  }
  return { manifest, staged, absorbs: [] }
}

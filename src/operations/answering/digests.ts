import { hash } from 'node:crypto'
import { resources } from '../../engine/resources.ts'
import type { Template } from '../../engine/template.ts'
import type { LakeFile } from '../../lake/store/snapshot.ts'

/** Digests of what many answers share, for their entity tags. Each is made once. */

const ofTemplates = new WeakMap<Template, string>()

/** A digest of the build, an operation and its template. */
export function templateDigest(id: string, template: Template): string {
  const known =
    ofTemplates.get(template) ?? hash('sha256', JSON.stringify([id, resources.build(), template.sql]))
  ofTemplates.set(template, known)
  return known
}

const ofContents = new WeakMap<readonly LakeFile[], string>()

/** A digest of the contents of files in their order. A snapshot returns the same list for the same selection. */
export function contentDigest(files: readonly LakeFile[]): string {
  const known = ofContents.get(files) ?? hash('sha256', files.map(({ sha256 }) => sha256).join(' '))
  ofContents.set(files, known)
  return known
}

import { join, resolve } from 'node:path'
import { cacheFolder } from '../../engine/owner.ts'
import { openProofs, type Proofs } from '../../lake/proof/proofs.ts'
import { rememberedProofs } from '../../lake/proof/remembered.ts'
import type { Settings } from './settings.ts'

/** The folder in which proofs are remembered; null for a user without a home folder. */
export function proofsFolder({ proofsDir }: Settings): string | null {
  if (proofsDir !== null) return resolve(proofsDir)
  const caches = cacheFolder()
  return caches === null ? null : join(caches, 'proofs')
}

/** The proofs of the files that a command reads. Close them, so that the next command does not read these files again. */
export function commandProofs(settings: Settings, lake: string): Proofs {
  const folder = proofsFolder(settings)
  // Without a note: a command says nothing about its caches.
  const observe = () => {}
  const remembered = folder === null ? null : rememberedProofs(folder, lake, observe)
  return openProofs({ lake, remembered, observe })
}

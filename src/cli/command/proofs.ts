import { openProofs, type Proofs } from '../../lake/proof/proofs.ts'
import { rememberedProofs } from '../../lake/proof/remembered.ts'
import { proofsFolder } from './proofs-folder.ts'
import type { Settings } from './settings.ts'

/** The proofs of the files that a command reads. Close them, so that the next command does not read these files again. */
export function commandProofs(settings: Settings, lake: string): Proofs {
  const folder = proofsFolder(settings)
  // Without a note: a command says nothing about its caches.
  const observe = () => {}
  const remembered = folder === null ? null : rememberedProofs(folder, lake, observe)
  return openProofs({ lake, remembered, observe })
}

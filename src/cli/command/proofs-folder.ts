import { join, resolve } from 'node:path'
import { cacheFolder } from '../../engine/owner.ts'
import type { Settings } from './settings.ts'

/** The folder in which proofs are remembered; null for a user without a home folder. */
export function proofsFolder({ proofsDir }: Settings): string | null {
  if (proofsDir !== null) return resolve(proofsDir)
  const caches = cacheFolder()
  return caches === null ? null : join(caches, 'proofs')
}

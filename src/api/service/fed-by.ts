import type { Service } from './service.ts'

/**
 * Drops what a damaged file may have fed: its copies, and all answers. Answers do not say what fed them, and a file fails
 * seldom.
 */
export function dropFedBy(file: string, { cache, engine }: Pick<Service, 'cache' | 'engine'>): void {
  cache.answers.clear()
  engine.store.forget(file)
}

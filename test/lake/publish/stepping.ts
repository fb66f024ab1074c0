import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'
import { folderForTest } from '../../fixtures/lake.ts'
import { DEAD, named, pathsBelow, put } from './notes.ts'

const FAILPOINT = '../../../src/lake/store/failpoint.ts'
const OWNER = '../../../src/engine/owner.ts'

/**
 * For the tests of one file: `put` in the process of the test that calls `at` at each failpoint, and publishes in the name
 * of a process that will have died. The failpoints of the program kill the process instead: see `killed.ts`.
 */
export function stepping() {
  let atStep: (step: string) => void = () => {}
  let putWith: typeof put

  beforeAll(async () => {
    vi.resetModules()
    vi.doMock(FAILPOINT, () => ({ failpoint: (step: string) => atStep(step) }))
    vi.doMock(OWNER, async original => ({ ...(await original<object>()), thisProcess: () => DEAD }))
    putWith = (await import('./notes.ts')).put
  })

  afterAll(() => {
    vi.doUnmock(FAILPOINT)
    vi.doUnmock(OWNER)
    vi.resetModules()
  })

  return (lake: string, change: Parameters<typeof put>[1], at: (step: string) => void) => {
    atStep = at
    return putWith(lake, change)
  }
}

/** The name of the file of a partition with this text. */
export const file = (partition: string, text: string) => named(`notes/${partition}`, text)
export const current = (lake: string) => Number(readFileSync(join(lake, 'CURRENT'), 'utf8'))
/** The files of staging folders and journals. */
export const hidden = (lake: string) => pathsBelow(lake).filter(name => name.startsWith('.'))

/** The texts of a lake, by partition, before and after CHANGE. */
export const OLD = { '2024-01-02': 'one', '2024-02-01': 'same', '2024-03-01': 'first' }
export const NEW = { '2024-01': 'one and more', '2024-02-01': 'same', '2024-03-01': 'second' }
export const CHANGE = {
  notes: { '2024-01': 'one and more', '2024-03-01': 'second' },
  absorbs: ['2024-01-02'],
}

/** The names of the files that have these texts. */
export const filesOf = (texts: object) =>
  Object.entries(texts)
    .map(([partition, text]) => file(partition, text))
    .toSorted()

/** A lake whose snapshot 1 has the texts OLD. */
export async function lakeBefore() {
  const lake = join(folderForTest(), 'lake')
  await put(lake, { notes: OLD })
  return lake
}

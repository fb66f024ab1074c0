import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the kernel's clock per second, in which `/proc` states processor time: 100 on every common Linux. */
const TICKS_PER_SECOND = 100

interface Process {
  readonly id: number
  readonly parent: number
  /** Processor time of its own threads and of its children that have ended, in milliseconds. */
  readonly milliseconds: number
}

/** Processor time of a process and of everything that it has started, in milliseconds, to 10 ms. */
export const processorMsOf = (root: number) =>
  treeOf(root).reduce((sum, { milliseconds }) => sum + milliseconds, 0)

/** Memory of the tree in MiB. What several of its processes share counts once. */
export function memoryMibOf(root: number): number {
  const kibibytes = treeOf(root).map(({ id }) => {
    const rollup = readable(`/proc/${id}/smaps_rollup`)
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  })
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024
}

export function treeOf(root: number): readonly Process[] {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(id => processOf(Number(id)) ?? [])
  const tree = all.filter(({ id }) => id === root)
  // Grows while it is read: the children of each process that was added.
  for (const { id } of tree) tree.push(...all.filter(({ parent }) => parent === id))
  return tree
}

function processOf(id: number): Process | null {
  const stat = readable(`/proc/${id}/stat`)
  if (stat === '') return null
  // The name of the command is in parentheses and may contain anything. The first field after it is the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  const ticks = field(14) + field(15) + field(16) + field(17)
  return { id, parent: field(4), milliseconds: (ticks * 1000) / TICKS_PER_SECOND }
}

/** The text of a file of `/proc`; empty if its process has ended meanwhile. */
function readable(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

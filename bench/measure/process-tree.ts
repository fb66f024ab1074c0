import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the kernel's clock per second, in which `/proc` states processor time: 100 on every common Linux. */
const TICKS_PER_SECOND = 100
/** User and system time of a process are each rounded down to a tick, so that what passed between two looks is this exact. */
const ROUNDED_MS = (2 * 1000) / TICKS_PER_SECOND

interface Process {
  readonly id: number
  readonly parent: number
  /** Processor time of all its threads, ended ones included, in milliseconds, to a tick. */
  readonly ownMs: number
  /** Processor time of its children that have ended and that it has waited for, to a tick. */
  readonly endedMs: number
}

/** Processor time of a process and of everything that it has started, since then, in milliseconds, to 10 ms. */
export const processorMsOf = (root: number) => treeOf(root).reduce((sum, each) => sum + totalMs(each), 0)

const totalMs = ({ ownMs, endedMs }: Process) => ownMs + endedMs

/** What a tree of processes has used so far, for `processorMsBetween`. */
export interface ProcessorUse {
  readonly processes: ReadonlyMap<number, Process>
  /** Nanoseconds by thread, by process. */
  readonly threads: ReadonlyMap<number, ReadonlyMap<string, number>>
}

export function processorUse(root: number): ProcessorUse {
  const tree = treeOf(root)
  return {
    processes: new Map(tree.map(each => [each.id, each])),
    threads: new Map(tree.map(({ id }) => [id, threadsOf(id)])),
  }
}

/**
 * Processor time that the tree used between two looks, in milliseconds. That of threads that live at the second look is
 * exact to nanoseconds. Ticks alone are not enough: a server of twenty processes, of which each is rounded to 10 ms, can
 * be wrong by more than it used in a tenth of a second. Threads and processes that ended meanwhile count to a tick.
 */
export function processorMsBetween(before: ProcessorUse, after: ProcessorUse): number {
  let ms = 0
  for (const [id, process] of after.processes) {
    const earlier = before.processes.get(id)
    ms += ownMsBetween(
      process.ownMs - (earlier?.ownMs ?? 0),
      before.threads.get(id),
      after.threads.get(id) ?? new Map(),
    )
    ms += process.endedMs - (earlier?.endedMs ?? 0)
  }
  // The parent of a process that ended meanwhile now has all of its time, of which a part was used before.
  for (const [id, process] of before.processes) if (!after.processes.has(id)) ms -= totalMs(process)
  return Math.max(0, ms)
}

function ownMsBetween(
  ticksMs: number,
  before: ReadonlyMap<string, number> = new Map(),
  after: ReadonlyMap<string, number>,
): number {
  let nanoseconds = 0
  for (const [thread, used] of after) nanoseconds += used - (before.get(thread) ?? 0)
  const exactMs = nanoseconds / 1e6
  const isWhole = after.size > 0 && ticksMs - exactMs <= ROUNDED_MS
  return isWhole ? exactMs : ticksMs
}

/** Memory of the tree in MiB. What several of its processes share counts once. */
export function memoryMibOf(root: number): number {
  const kibibytes = treeOf(root).map(({ id }) => {
    const rollup = readable(`/proc/${id}/smaps_rollup`)
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  })
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024
}

export function treeOf(root: number): readonly Process[] {
  const all = numbersIn('/proc').flatMap(id => processOf(Number(id)) ?? [])
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
  const msOf = (ticks: number) => (ticks * 1000) / TICKS_PER_SECOND
  return {
    id,
    parent: field(4),
    ownMs: msOf(field(14) + field(15)),
    endedMs: msOf(field(16) + field(17)),
  }
}

/** Nanoseconds on a processor, by thread; empty if the kernel does not state them. */
function threadsOf(id: number): ReadonlyMap<string, number> {
  const used = new Map<string, number>()
  for (const thread of numbersIn(`/proc/${id}/task`)) {
    const schedule = readable(`/proc/${id}/task/${thread}/schedstat`)
    if (schedule !== '') used.set(thread, Number(schedule.split(' ')[0]))
  }
  return used
}

function numbersIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** The text of a file of `/proc`; empty if its process has ended meanwhile. */
function readable(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

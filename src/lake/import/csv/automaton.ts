/**
 * A deterministic finite automaton over bytes that recognises records of given field patterns, with one table look-up
 * per byte, for files of gigabytes. It is built from a nondeterministic automaton by subset construction.
 */

/** Adds states after `from`. Returns the state in which the pattern has matched. */
export type Pattern = (states: Nondeterministic, from: number) => number

interface Nondeterministic {
  state(): number
  /** Adds a transition on any of the bytes; without `bytes`, an empty transition. */
  edge(from: number, to: number, bytes?: ReadonlySet<number>): void
}

const codes = (text: string) => [...Buffer.from(text, 'latin1')]
export const span = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** One byte of a set of single characters or codes. */
export function byte(from: string | readonly number[]): Pattern {
  const bytes = new Set(typeof from === 'string' ? codes(from) : from)
  return (states, start) => {
    const end = states.state()
    states.edge(start, end, bytes)
    return end
  }
}

export const sequence =
  (...parts: readonly Pattern[]): Pattern =>
  (states, from) =>
    parts.reduce((at, part) => part(states, at), from)

export const word = (text: string): Pattern =>
  sequence(...codes(text).map(code => byte([code, ...codes(String.fromCharCode(code).toUpperCase())])))

export const either =
  (...parts: readonly Pattern[]): Pattern =>
  (states, from) => {
    const end = states.state()
    for (const part of parts) states.edge(part(states, from), end)
    return end
  }

export const optional = (part: Pattern): Pattern => either(part, (_, from) => from)

export const times = (part: Pattern, least: number, most = least): Pattern =>
  sequence(
    ...Array.from({ length: least }, () => part),
    ...Array.from({ length: most - least }, () => part).reduce<Pattern[]>(
      inner => [optional(sequence(part, ...inner))],
      [],
    ),
  )

export const many =
  (part: Pattern): Pattern =>
  (states, from) => {
    const start = states.state()
    states.edge(from, start)
    states.edge(part(states, start), start)
    const end = states.state()
    states.edge(start, end)
    return end
  }

/**
 * A transition table: `classes` maps a byte to its column, and `next[state + column]` is the next state. State 0 is the
 * dead state. The numbers are signed, because unsigned 32-bit numbers make the pass about a fifth slower.
 */
export interface Table {
  readonly classes: Uint8Array
  readonly next: Int32Array
  /** The state before each record. */
  readonly start: number
}

/** The target of a byte within a field: a row of the field, the end of the field, or the dead state. */
type Target = number | 'end' | 'dead'

/** The table that matches a sequence of records with these fields. */
export function tableOf(fields: readonly Pattern[]): Table {
  // Fields of one type share their pattern, which is built once.
  const built = new Map<Pattern, Target[][]>()
  for (const field of fields) if (!built.has(field)) built.set(field, rowsOf(field))
  const rowsOfField = fields.map(field => built.get(field) ?? [])
  const classes = classesOf([...built.values()].flat())
  const width = Math.max(...classes) + 1

  // Row 0 is the dead one; the rows of a field follow those of the field before.
  const starts = [1]
  for (const rows of rowsOfField) starts.push((starts.at(-1) ?? 0) + rows.length)
  const next = new Int32Array((starts.at(-1) ?? 0) * width)
  for (const [index, rows] of rowsOfField.entries()) {
    const start = starts[index] ?? 0
    const after = index === fields.length - 1 ? 1 : start + rows.length
    for (const [row, targets] of rows.entries())
      for (const [code, to] of targets.entries())
        next[(start + row) * width + (classes[code] ?? 0)] =
          (to === 'dead' ? 0 : to === 'end' ? after : start + to) * width
  }
  return { classes, next, start: width }
}

/** Bytes with the same target in every row are in one class. */
function classesOf(rows: readonly Target[][]): Uint8Array {
  const seen = new Map<string, number>()
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const signature = rows.map(row => row[code]).join()
    if (!seen.has(signature)) seen.set(signature, seen.size)
    return seen.get(signature) ?? 0
  })
}

/** The rows of one field, its start row first. */
function rowsOf(field: Pattern): Target[][] {
  const edges: { to: number; bytes?: ReadonlySet<number> }[][] = []
  const states: Nondeterministic = {
    state: () => edges.push([]) - 1,
    edge: (from, to, bytes) => void edges[from]?.push({ to, ...(bytes && { bytes }) }),
  }
  const first = states.state()
  const end = field(states, first)
  const closure = (from: readonly number[]) => {
    const all = new Set(from)
    for (const state of all) for (const { to, bytes } of edges[state] ?? []) if (!bytes) all.add(to)
    return [...all].toSorted((a, b) => a - b)
  }

  const known = new Map<string, number>()
  const sets: number[][] = []
  const rowFor = (closed: number[]) => {
    const key = closed.join()
    if (!known.has(key)) known.set(key, sets.push(closed) - 1)
    return known.get(key) ?? 0
  }
  rowFor(closure([first]))
  const rows: Target[][] = []
  for (const set of sets) {
    const targets: number[][] = Array.from({ length: 256 }, () => [])
    for (const state of set)
      for (const { to, bytes } of edges[state] ?? []) for (const code of bytes ?? []) targets[code]?.push(to)
    // Most bytes of a row have the same few sets of targets: the closure of each is computed once.
    const found = new Map<string, Target>([['', 'dead']])
    const target = (to: readonly number[]) => {
      const closed = closure(to)
      return closed.includes(end) ? 'end' : rowFor(closed)
    }
    rows.push(
      targets.map(to => {
        const key = to.join()
        if (!found.has(key)) found.set(key, target(to))
        return found.get(key) ?? 'dead'
      }),
    )
  }
  return rows
}

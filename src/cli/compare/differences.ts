/** How a JSON answer differs from a recorded one. Paths are such as `data[].strike`. */

export const KINDS = ['status', 'fields', 'types', 'values'] as const
export type Kind = (typeof KINDS)[number]

export interface Difference {
  readonly kind: Kind
  readonly at: string
  readonly recorded: string
  readonly server: string
}

/** Values below this depth are compared as text. */
const DEPTH_MAX = 40
const ABSENT = '(absent)'

/**
 * The differences of two JSON values: fields that only one of them has, types of which no value of a field is in both,
 * and values that differ, by their place in lists. Nulls have no type. Each difference is listed once per path.
 */
export function differencesOf(recorded: unknown, server: unknown): Difference[] {
  const [own, other] = [shapeOf(recorded), shapeOf(server)]
  const types = typeDifferences(own, other)
  const known = new Set(types.map(({ at }) => at))
  const values = new Map<string, Difference>()
  compareValues(recorded, server, '', 0, difference => {
    if (!known.has(difference.at) && !values.has(difference.at)) values.set(difference.at, difference)
  })
  return [...fieldDifferences(own, other), ...types, ...values.values()]
}

/** What occurs at each path of a value. */
interface Shape {
  /** Names of the fields of the objects at a path. */
  readonly names: Map<string, Set<string>>
  /** Types of the values at a path that are not null. */
  readonly types: Map<string, Set<string>>
}

const within = (at: string, name: string) => (at === '' ? name : `${at}.${name}`)

function shapeOf(root: unknown): Shape {
  const shape: Shape = { names: new Map(), types: new Map() }
  const add = (map: Map<string, Set<string>>, at: string, items: readonly string[]) => {
    const set = map.get(at) ?? new Set()
    for (const item of items) set.add(item)
    map.set(at, set)
  }
  const visit = (value: unknown, at: string, depth: number) => {
    if (value === null || value === undefined) return
    add(shape.types, at, [typeOf(value)])
    if (depth === DEPTH_MAX || typeof value !== 'object') return
    if (Array.isArray(value)) for (const item of value) visit(item, `${at}[]`, depth + 1)
    else {
      add(shape.names, at, Object.keys(value))
      for (const [name, inner] of Object.entries(value)) visit(inner, within(at, name), depth + 1)
    }
  }
  visit(root, '', 0)
  return shape
}

const TEXT_TYPES: readonly (readonly [string, RegExp])[] = [
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['ts', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/],
  ['string(dec)', /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/],
  ['string(UUID)', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i],
]

function typeOf(value: NonNullable<unknown>): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'string') return typeof value
  return TEXT_TYPES.find(([, pattern]) => pattern.test(value))?.[0] ?? 'string'
}

function fieldDifferences(recorded: Shape, server: Shape): Difference[] {
  return [...recorded.names].flatMap(([at, names]): Difference[] => {
    const others = server.names.get(at)
    // Without an object there, nothing is known of its fields.
    if (others === undefined) return []
    const missing = [...names].filter(name => !others.has(name))
    const added = [...others].filter(name => !names.has(name))
    return [
      ...missing.map(name => ({
        kind: 'fields' as const,
        at: within(at, name),
        recorded: 'present',
        server: ABSENT,
      })),
      ...added.map(name => ({
        kind: 'fields' as const,
        at: within(at, name),
        recorded: ABSENT,
        server: 'present',
      })),
    ]
  })
}

function typeDifferences(recorded: Shape, server: Shape): Difference[] {
  return [...recorded.types].flatMap(([at, types]): Difference[] => {
    const others = server.types.get(at)
    if (others === undefined || [...types].some(type => others.has(type))) return []
    const listed = (set: ReadonlySet<string>) => [...set].sort().join(', ')
    return [{ kind: 'types', at, recorded: listed(types), server: listed(others) }]
  })
}

type Report = (difference: Difference) => void

function compareValues(recorded: unknown, server: unknown, at: string, depth: number, report: Report): void {
  const [own, other] = [partsOf(recorded), partsOf(server)]
  if (own === null || other === null || own.isList !== other.isList || depth === DEPTH_MAX) {
    const [one, two] = [JSON.stringify(recorded), JSON.stringify(server)]
    if (one !== two) report({ kind: 'values', at, recorded: one ?? ABSENT, server: two ?? ABSENT })
    return
  }
  if (own.isList && own.items.size !== other.items.size)
    report({ kind: 'values', at, recorded: `${own.items.size} items`, server: `${other.items.size} items` })
  for (const [name, value] of own.items)
    if (other.items.has(name))
      compareValues(
        value,
        other.items.get(name),
        own.isList ? `${at}[]` : within(at, name),
        depth + 1,
        report,
      )
}

/** The items of a list by their place, or the values of an object by their names; null for another value. */
function partsOf(value: unknown) {
  if (typeof value !== 'object' || value === null) return null
  return { isList: Array.isArray(value), items: new Map(Object.entries(value)) }
}

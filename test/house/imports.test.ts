import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf } from './source.ts'

/** The rooms of the house, each with the rooms that it may look into. `main` is src/main.ts. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  main: ['cli'],
  cli: ['api', 'stream', 'operations', 'lake', 'engine', 'market'],
  api: ['stream', 'operations', 'lake', 'engine', 'market'],
  stream: ['operations', 'lake', 'engine', 'market'],
  operations: ['lake', 'engine', 'market', 'calculations'],
  lake: ['engine', 'market'],
  engine: ['market'],
  calculations: [],
  market: [],
}

/** Packages that belong to one room, so that the others never come to depend on them. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  '@duckdb/node-api': ['engine'],
  '@duckdb/node-bindings': ['engine'],
  fastify: ['api'],
  '@fastify/websocket': ['api'],
  '@bufbuild/protobuf': ['stream'],
  pino: ['api'],
  'prom-client': ['api'],
  'apache-arrow': ['engine', 'calculations', 'operations', 'stream'],
}

const roomOf = (path: string) => (path === 'src/main.ts' ? 'main' : (path.split('/')[1] ?? ''))
const files = filesBelow('src', '.ts')
const imports = files.flatMap(importsOf)

/** The first circle found among `edges`, as a path that ends where it started. */
export function findCircle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>()
  const visit = (node: string, path: readonly string[]): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return null
    for (const next of edges.get(node) ?? []) {
      const circle = visit(next, [...path, node])
      if (circle) return circle
    }
    done.add(node)
    return null
  }
  for (const node of edges.keys()) {
    const circle = visit(node, [])
    if (circle) return circle
  }
  return null
}

describe('imports', () => {
  test('are found at all', () => {
    expect(imports.filter(({ own }) => own).length).toBeGreaterThan(100)
  })

  test('run downwards only', () => {
    const upwards = imports
      .filter(({ own }) => own)
      .filter(
        ({ from, to }) => roomOf(from) !== roomOf(to) && !MAY_IMPORT[roomOf(from)]?.includes(roomOf(to)),
      )
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(upwards).toEqual([])
  })

  test('of every room are known here', () => {
    expect([...new Set(files.map(roomOf))].filter(room => !(room in MAY_IMPORT))).toEqual([])
  })

  test('form no circle', () => {
    const edges = new Map(
      files.map(file => [file, imports.filter(({ from, own }) => own && from === file).map(({ to }) => to)]),
    )
    expect(findCircle(edges)).toBeNull()
    expect(
      findCircle(
        new Map([
          ['a', ['b']],
          ['b', ['c']],
          ['c', ['a']],
        ]),
      ),
    ).toEqual(['a', 'b', 'c', 'a'])
  })

  test('of packages stay in the rooms that own them', () => {
    const strays = imports
      .filter(({ own, to, from }) => !own && ONLY_IN[to] && !ONLY_IN[to].includes(roomOf(from)))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(strays).toEqual([])
  })

  test('of pure rooms touch neither files, processes nor the network', () => {
    const pure = ['calculations', 'market']
    const impure = imports.filter(
      ({ from, to, own }) => !own && pure.includes(roomOf(from)) && to.startsWith('node:'),
    )
    expect(impure).toEqual([])
  })
})

import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCircle } from './circle.ts'
import { IMPORTS_FROM } from './imports-from.ts'
import { filesBelow, importsOf } from './source.ts'

/** Packages that belong to one room, so that the others never come to depend on them. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  '@duckdb/node-api': ['engine'],
  '@duckdb/node-bindings': ['engine'],
  fastify: ['api'],
  '@fastify/proxy-addr': ['api'],
  '@fastify/websocket': ['api'],
  '@bufbuild/protobuf': ['stream'],
  pino: ['api'],
  'prom-client': ['api'],
  'apache-arrow': ['engine', 'calculations', 'operations', 'stream'],
}

/** `src/lake/store/base.ts` → `lake/store`. */
const folderOf = (path: string) => dirname(path).replace(/^src\/?/, '') || 'main'
/** `src/lake/store/base.ts` → `lake`. */
const roomOf = (path: string) => folderOf(path).split('/')[0] ?? ''
const files = filesBelow('src', '.ts')
const imports = files.flatMap(importsOf)

describe('imports', () => {
  test('are found at all', () => {
    expect(imports.filter(({ own }) => own).length).toBeGreaterThan(100)
  })

  test('follow the table, and the table permits no import that does not exist', () => {
    const made = Object.fromEntries(
      [...new Set(files.map(folderOf))].map(folder => [
        folder,
        imports
          .filter(({ own, from, to }) => own && folderOf(from) === folder && folderOf(to) !== folder)
          .map(({ to }) => folderOf(to)),
      ]),
    )
    const sorted = (table: Readonly<Record<string, readonly string[]>>) =>
      Object.fromEntries(Object.entries(table).map(([folder, to]) => [folder, [...new Set(to)].sort()]))
    expect(sorted(made)).toEqual(sorted(IMPORTS_FROM))
  })

  test('between folders form no cycle', () => {
    expect(findCircle(new Map(Object.entries(IMPORTS_FROM)))).toBeNull()
  })

  test('form no cycle', () => {
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

  test('of packages stay in the folders that own them', () => {
    const strays = imports
      .filter(({ own, to, from }) => !own && ONLY_IN[to] && !ONLY_IN[to].includes(roomOf(from)))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(strays).toEqual([])
  })

  test('of pure folders use neither files, processes nor the network', () => {
    const pure = ['calculations', 'market']
    const impure = imports.filter(
      ({ from, to, own }) => !own && pure.includes(roomOf(from)) && to.startsWith('node:'),
    )
    expect(impure).toEqual([])
  })
})

import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findCircle } from './circle.ts'
import { filesBelow, importsOf } from './source.ts'

/** The folders of `src`, each with the folders that its files import from. `main` is src/main.ts. */
const IMPORTS_FROM: Readonly<Record<string, readonly string[]>> = {
  'api/http': [
    'api/openapi',
    'api/service',
    'engine',
    'lake/point-in-time',
    'lake/store',
    'operations',
    'operations/answering',
    'operations/contents',
    'operations/parameters',
  ],
  'api/openapi': [
    'api/service',
    'engine',
    'operations/answering',
    'operations/contents',
    'operations/parameters',
  ],
  'api/process': [
    'api/http',
    'api/service',
    'api/socket',
    'engine',
    'lake/closing',
    'lake/point-in-time',
    'lake/snapshots',
    'lake/store',
    'operations',
    'operations/answering',
  ],
  'api/service': [
    'engine',
    'lake/point-in-time',
    'lake/snapshots',
    'lake/store',
    'market',
    'operations/answering',
    'operations/parameters',
  ],
  'api/socket': ['api/service', 'engine', 'lake/store', 'operations/parameters', 'stream'],
  calculations: [],
  cli: ['cli/command', 'cli/commands', 'cli/help', 'engine'],
  'cli/command': ['cli/terminal', 'engine', 'lake/point-in-time', 'lake/snapshots', 'lake/store'],
  'cli/commands': [
    'api/process',
    'api/service',
    'api/socket',
    'cli/command',
    'cli/compare',
    'cli/help',
    'cli/import',
    'cli/query',
    'cli/terminal',
    'engine',
    'lake/adopt',
    'lake/audit',
    'lake/derive',
    'lake/generate',
    'lake/import',
    'lake/import/format',
    'lake/land',
    'lake/maintain',
    'lake/publish',
    'lake/point-in-time',
    'lake/snapshots',
    'lake/store',
    'market',
    'operations',
    'operations/answering',
    'operations/citing',
    'operations/contents',
    'operations/parameters',
    'stream',
  ],
  'cli/documents': [
    'api/openapi',
    'api/service',
    'cli',
    'cli/command',
    'cli/help',
    'cli/smoke',
    'engine',
    'lake/generate',
    'lake/import/format',
    'lake/store',
    'market',
    'operations',
    'operations/answering',
    'operations/fields',
    'operations/parameters',
  ],
  'cli/compare': ['cli/terminal', 'engine', 'operations/answering'],
  'cli/query': [
    'cli/command',
    'cli/terminal',
    'engine',
    'lake/snapshots',
    'lake/store',
    'operations/answering',
    'operations/citing',
  ],
  'cli/help': ['lake/import/format'],
  'cli/import': [
    'cli/command',
    'cli/terminal',
    'lake/import',
    'lake/import/format',
    'lake/import/rows',
    'market',
  ],
  'cli/smoke': [
    'api/service',
    'cli/command',
    'cli/commands',
    'engine',
    'lake/store',
    'operations',
    'operations/answering',
    'operations/fields',
  ],
  'cli/terminal': ['engine'],
  engine: ['engine/arrow', 'engine/encode', 'market'],
  'engine/arrow': [],
  'engine/encode': ['engine/arrow'],
  'lake/adopt': ['engine', 'lake/derive', 'lake/land', 'lake/publish', 'lake/store'],
  'lake/audit': ['engine', 'lake/contents', 'lake/derive', 'lake/publish', 'lake/store', 'market'],
  'lake/closing': ['market'],
  'lake/contents': ['engine', 'lake/import/format', 'lake/store', 'market'],
  'lake/derive': ['engine', 'lake/land', 'lake/store', 'market'],
  'lake/generate': ['engine', 'lake/derive', 'lake/land', 'lake/store', 'market'],
  'lake/import': [
    'engine',
    'lake/derive',
    'lake/import/csv',
    'lake/import/format',
    'lake/import/input',
    'lake/import/json',
    'lake/import/parquet',
    'lake/import/rows',
    'lake/import/xml',
    'lake/land',
    'lake/publish',
    'lake/store',
    'market',
  ],
  'lake/import/csv': ['engine', 'lake/import/format', 'lake/import/input', 'lake/import/rows', 'lake/store'],
  'lake/import/format': ['engine', 'lake/store', 'market'],
  'lake/import/input': ['engine', 'lake/import/format', 'lake/store'],
  'lake/import/json': ['engine', 'lake/import/format', 'lake/import/input', 'lake/import/rows'],
  'lake/import/parquet': [
    'engine',
    'lake/import/csv',
    'lake/import/format',
    'lake/import/input',
    'lake/import/rows',
    'lake/store',
  ],
  'lake/import/rows': ['engine', 'lake/import/format', 'lake/import/input', 'lake/store'],
  'lake/import/xml': [],
  'lake/land': ['engine', 'lake/publish', 'lake/store', 'market'],
  'lake/maintain': [
    'engine',
    'lake/derive',
    'lake/land',
    'lake/publish',
    'lake/snapshots',
    'lake/store',
    'market',
  ],
  'lake/point-in-time': ['engine', 'lake/derive', 'lake/land', 'lake/store', 'market'],
  'lake/provenance': ['lake/derive', 'lake/land', 'lake/publish', 'lake/store'],
  'lake/publish': ['engine', 'lake/store'],
  'lake/snapshots': ['engine', 'lake/closing', 'lake/land', 'lake/publish', 'lake/store'],
  'lake/store': ['engine', 'lake/closing', 'market'],
  main: ['cli'],
  market: [],
  operations: ['operations/answering', 'operations/catalog'],
  'operations/analytics': ['calculations', 'engine', 'market', 'operations/parameters'],
  'operations/answering': [
    'engine',
    'engine/encode',
    'lake/contents',
    'lake/store',
    'market',
    'operations/fields',
    'operations/parameters',
  ],
  'operations/catalog': [
    'engine',
    'lake/store',
    'market',
    'operations/analytics',
    'operations/answering',
    'operations/fields',
    'operations/parameters',
  ],
  'operations/citing': [
    'engine',
    'lake/provenance',
    'lake/store',
    'market',
    'operations',
    'operations/answering',
  ],
  'operations/contents': [
    'engine',
    'lake/contents',
    'lake/store',
    'operations',
    'operations/answering',
    'operations/fields',
  ],
  'operations/fields': ['engine/encode', 'lake/store', 'market'],
  'operations/parameters': ['engine', 'market'],
  stream: ['engine', 'lake/store'],
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

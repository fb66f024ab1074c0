import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { notices } from './notices.js'

/**
 * Entry points of the build; code that they share is in separate files. `program` is one folder deep, because the
 * code finds the project's root and the encoding thread relative to `import.meta.url`.
 */
const ENTRIES = {
  main: 'src/main.ts',
  messages: 'src/stream/tapehouse_pb.ts',
  'program/resources': 'src/engine/resources.ts',
  'program/documents': 'src/cli/documents/documents.ts',
  'program/smoke': 'src/cli/smoke/smoke.ts',
  'program/encoding-thread': 'src/stream/encoding-thread.ts',
}

/** Machine code, which cannot be bundled. It is the only package that the program loads at run time. */
const EXTERNAL = ['@duckdb/node-bindings']

const { output } = await build({
  input: ENTRIES,
  platform: 'node',
  external: EXTERNAL,
  output: {
    dir: 'dist',
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'program/[name].js',
    minify: { compress: true, mangle: false, codegen: true },
  },
})

const root = fileURLToPath(new URL('../', import.meta.url))

/** The folders of the packages of which the program contains modules, relative to the project. */
const folders = new Set(
  output
    .flatMap(({ moduleIds = [] }) => moduleIds)
    .flatMap(id => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? [])
    .map(folder => folder.slice(folder.indexOf('/node_modules/') + 1)),
)
const bundled = [...folders].sort()
writeFileSync(join(root, 'dist/bundled.json'), `${JSON.stringify(bundled, null, 2)}\n`)
writeFileSync(join(root, 'dist/THIRD_PARTY_NOTICES'), notices(bundled.map(folder => join(root, folder))))

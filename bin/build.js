import { isAbsolute } from 'node:path'
import { build } from 'rolldown'

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

/**
 * Packages to bundle. They have a hundred or more modules, most of them unused; bundling reduces the program's start time to
 * a third. Packages with native code, and packages that load their own files by name, cannot be bundled.
 */
const BUNDLED = ['typebox', '@duckdb/node-api', 'apache-arrow', 'flatbuffers', 'tslib', '@bufbuild/protobuf']

const isBundled = id => BUNDLED.some(name => id === name || id.startsWith(`${name}/`))

await build({
  input: ENTRIES,
  platform: 'node',
  external: id => !id.startsWith('.') && !isAbsolute(id) && !isBundled(id),
  output: { dir: 'dist', cleanDir: true, entryFileNames: '[name].js', chunkFileNames: 'program/[name].js' },
})

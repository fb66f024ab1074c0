import { isAbsolute } from 'node:path'
import { build } from 'rolldown'

/**
 * The build: what starts by itself, each in a file of its own, and beside these what they share. All but `main` lies one
 * folder deep, since `import.meta.url` leads from there to the project's root and to the encoding thread.
 */
const STARTS = {
  main: 'src/main.ts',
  'program/documents': 'src/cli/documents/documents.ts',
  'program/smoke': 'src/cli/smoke/smoke.ts',
  'program/encoding-thread': 'src/stream/encoding-thread.ts',
}

/**
 * Packages of a hundred and more modules, most of which nothing uses: the rest becomes part of the program, which then
 * starts in a third of the time. Packages with native parts, and those that load files of their own by name, stay apart.
 */
const PACKAGES = ['typebox', '@duckdb/node-api', 'apache-arrow', 'flatbuffers', 'tslib', '@bufbuild/protobuf']

const isBundled = id => PACKAGES.some(name => id === name || id.startsWith(`${name}/`))

await build({
  input: STARTS,
  platform: 'node',
  external: id => !id.startsWith('.') && !isAbsolute(id) && !isBundled(id),
  output: { dir: 'dist', cleanDir: true, entryFileNames: '[name].js', chunkFileNames: 'program/[name].js' },
})

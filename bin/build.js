import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { COMMON_JS } from './common-js.js'
import { notices } from './notices.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = join(root, 'dist')

/** What runs the program, and what programs of others can import. */
const MODULES = { main: 'src/loader/main.ts', messages: 'src/stream/tapehouse_pb.ts' }

/**
 * Entry points of the program; code that they share is in separate files. Its folder is one folder deep, because the code finds
 * the project's root and the encoding thread relative to itself.
 */
const PROGRAM = {
  main: 'src/main.ts',
  resources: 'src/engine/resources.ts',
  documents: 'src/cli/documents/documents.ts',
  smoke: 'src/cli/smoke/smoke.ts',
  'encoding-thread': 'src/stream/encoding-thread.ts',
}

/** Machine code, which cannot be bundled. It is the only package that the program loads at run time. */
const EXTERNAL = ['@duckdb/node-bindings']

rmSync(dist, { recursive: true, force: true })
const { output: modules } = await build({
  input: MODULES,
  platform: 'node',
  output: { dir: dist, minify: COMMON_JS.output.minify },
})
const { output: program } = await build({
  ...COMMON_JS,
  input: PROGRAM,
  external: EXTERNAL,
  output: { ...COMMON_JS.output, dir: join(dist, 'program') },
})
writeFileSync(join(dist, 'program/package.json'), '{ "type": "commonjs" }\n')

/** Identifies this build: the version with a hash of the code, so that a rebuilt program has a different identifier. */
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const hash = createHash('sha256')
for (const { fileName, code } of [...modules, ...program]) hash.update(fileName).update(code)
writeFileSync(join(dist, 'build'), `${version}+${hash.digest('hex').slice(0, 12)}`)

/** The folders of the packages of which the program contains modules, relative to the project. */
const folders = new Set(
  [...modules, ...program]
    .flatMap(({ moduleIds = [] }) => moduleIds)
    .flatMap(id => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? [])
    .map(folder => folder.slice(folder.indexOf('/node_modules/') + 1)),
)
const bundled = [...folders].sort()
writeFileSync(join(dist, 'bundled.json'), `${JSON.stringify(bundled, null, 2)}\n`)
writeFileSync(join(dist, 'THIRD_PARTY_NOTICES'), notices(bundled.map(folder => join(root, folder))))

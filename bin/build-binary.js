// `npm run build:binary`: makes dist/tapehouse, one file for linux-x64 that needs no Node.js. See docs/binary.md.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { resources } from '../dist/program/resources.js'
import { COMMON_JS } from './common-js.js'
import { compiledCode } from './compiled-code.js'
import { loadedPart } from './loaded-part.js'
import { nodePackage } from './locked-packages.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const at = path => join(root, path)
const work = at('node_modules/.cache/tapehouse/binary')

/** Text files that the program reads, or that belong to it, by folder. */
const TEXTS = {
  sql: name => name.endsWith('.sql') || name.endsWith('layout.json'),
  docs: () => true,
  'data/examples': () => true,
  assets: () => true,
}

/** Machine code, which the binary extracts at its first start. */
const NATIVE = 'node_modules/@duckdb/node-bindings-linux-x64'
const NATIVE_PARTS = ['libduckdb.so', 'duckdb.node']

if (process.platform !== 'linux' || process.arch !== 'x64') {
  process.stderr.write('build:binary: the binary is made on linux-x64, for linux-x64\n')
  process.exit(1)
}

/** A short command ends before the first garbage collection of its young objects. */
const V8_FLAGS = ['--min-semi-space-size=16']

/** Entries of the binary: the program, and its thread. */
const ENTRIES = { main: 'src/binary/main.ts', 'encoding-thread': 'src/stream/encoding-thread.ts' }

/** The code of the program by file name. Code that a command does not need is in another file. */
async function modules() {
  const { output } = await build({
    ...COMMON_JS,
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, at(path)])),
    cwd: root,
    resolve: { alias: { '@duckdb/node-bindings': at('src/binary/bindings.ts') } },
    write: false,
    logLevel: 'warn',
  })
  return output.map(({ fileName, code }) => [fileName, `${HEAD}${code}\n})`])
}

/** What the loader calls. */
const HEAD = '(function (exports, require, module, __filename) {'

const filesOf = folder =>
  readdirSync(at(folder), { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name}`)
    .filter(path => statSync(at(path)).isFile())

function textPaths() {
  const paths = Object.entries(TEXTS)
    .filter(([folder]) => existsSync(at(folder)))
    .flatMap(([folder, isText]) => filesOf(folder).filter(isText))
  return ['package.json', ...paths.sort()]
}

const described = ([name, content]) => ({
  name,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
})

rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
const file = name => join(work, name)

/** Writes files to a folder of `work`, and returns them as assets of the same name. */
function written(folder, files) {
  mkdirSync(file(folder), { recursive: true })
  for (const [name, content] of files) writeFileSync(file(`${folder}/${name}`), content)
  return Object.fromEntries(files.map(([name]) => [`${folder}/${name}`, file(`${folder}/${name}`)]))
}

const texts = textPaths()
const native = NATIVE_PARTS.map(name => [name, loadedPart(readFileSync(at(`${NATIVE}/${name}`)))])
const contents = { build: resources.build(), texts, native: native.map(described) }
writeFileSync(file('contents.json'), JSON.stringify(contents))

const assets = {
  'contents.json': file('contents.json'),
  'loader.js': at('bin/binary/loader.cjs'),
  ...written('code', await modules()),
  ...written('native', native),
  ...Object.fromEntries(texts.map(path => [path, at(path)])),
}
const node = join(nodePackage(), 'bin/node')
const compiled = await compiledCode(node, assets, file('compiled'))
const output = at('dist/tapehouse')
writeFileSync(file('main.cjs'), `${readFileSync(assets['loader.js'], 'utf8')}\nload('main.js')\n`)
const config = {
  main: file('main.cjs'),
  output,
  disableExperimentalSEAWarning: true,
  execArgv: V8_FLAGS,
  assets: { ...assets, ...compiled },
}
writeFileSync(file('sea-config.json'), JSON.stringify(config))
mkdirSync(dirname(output), { recursive: true })
execFileSync(node, ['--build-sea', file('sea-config.json')], {
  cwd: work,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const megabytes = (statSync(output).size / 1e6).toFixed(1)
process.stdout.write(`Made dist/tapehouse (${megabytes} MB).\n`)

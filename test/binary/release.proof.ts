import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { tapehouse } from '../cli/process.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { filesBelow, importsOf, read, root } from '../house/source.ts'
import { cloned, releasedClone, run } from './release.ts'

/** The largest archive with the binary. */
const ARCHIVE_BYTES_MAX = 60e6

const { version } = JSON.parse(read('package.json')) as { version: string }
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: boolean }> }
const ARCHIVE = `tapehouse-${version}-linux-x64.tar.xz`
const PACKAGE = `tapehouse-${version}.tgz`
const MATERIALS = `tapehouse-${version}.cdx.json`
const FILES = ['SHA256SUMS', 'THIRD_PARTY_NOTICES', MATERIALS, ARCHIVE, PACKAGE]

let release = ''
beforeAll(async () => {
  release = join(await releasedClone(), 'release')
})

const released = (file: string) => join(release, file)
const folderFor = (name: string) => mkdtempSync(join(inject('runFolder'), `${name}-`))

/**
 * Packages that npm installs with the program, those that its modules import, and all packages that the latter depend on and
 * always load.
 */
function productPackages(): string[] {
  const loaded = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)))
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  const imported = filesBelow('src', '.ts')
    .flatMap(importsOf)
    .map(({ to }) => to)
    .filter(name => !name.startsWith('node:') && !name.startsWith('src/'))
  const ofFastify = ['ws', 'find-my-way', 'ajv', 'secure-json-parse', 'sonic-boom', 'flatbuffers']
  return [...new Set([...loaded, ...imported, ...ofFastify])]
}

test('a clean clone makes all files, with their checksums', () => {
  expect(readdirSync(release).toSorted()).toEqual(FILES.toSorted())
  const expected = FILES.filter(file => file !== 'SHA256SUMS').map(file => {
    const hash = createHash('sha256').update(readFileSync(released(file)))
    return `${hash.digest('hex')}  ${file}`
  })
  const lines = readFileSync(released('SHA256SUMS'), 'utf8').trimEnd().split('\n')
  expect(lines.toSorted()).toEqual(expected.toSorted())
})

test(`the archive has at most ${ARCHIVE_BYTES_MAX / 1e6} MB, and a binary that runs`, () => {
  expect(statSync(released(ARCHIVE)).size).toBeLessThanOrEqual(ARCHIVE_BYTES_MAX)
  const folder = folderFor('archive')
  run('tar', ['-xJf', released(ARCHIVE)], folder)
  const [name = ''] = readdirSync(folder)
  expect(name).toBe(`tapehouse-${version}-linux-x64`)
  expect(readdirSync(join(folder, name)).toSorted()).toEqual([
    'README.md',
    'THIRD_PARTY_NOTICES',
    'tapehouse',
  ])
  expect(run(join(folder, name, 'tapehouse'), ['--version'], folder)).toBe(`${version}\n`)
})

/** A package in the bill of materials, with those in its own `node_modules`. */
interface Component {
  readonly group?: string
  readonly name: string
  readonly components?: readonly Component[]
}
const namesOf = (components: readonly Component[]): string[] =>
  components.flatMap(({ group, name, components: inner = [] }) => [
    group ? `${group}/${name}` : name,
    ...namesOf(inner),
  ])

test('the notices and the bill of materials name every package of the product, Node.js and DuckDB', () => {
  const notices = readFileSync(released('THIRD_PARTY_NOTICES'), 'utf8')
  const { bomFormat, components } = JSON.parse(readFileSync(released(MATERIALS), 'utf8')) as {
    bomFormat: string
    components: Component[]
  }
  expect(bomFormat).toBe('CycloneDX')
  const listed = namesOf(components)
  const packages = productPackages()
  expect(packages.length).toBeGreaterThan(25)
  for (const name of packages) {
    expect(notices).toContain(`\n${name} `)
    expect(listed).toContain(name)
  }
  expect(listed).toContain('node')
  expect(listed.filter(name => name === 'vitest' || name === 'rolldown')).toEqual([])
  expect(notices).toContain('\nnode-linux-x64 ')
  // Of the licenses of Node.js and DuckDB.
  expect(notices).toContain('Copyright Node.js contributors. All rights reserved.')
  expect(notices).toContain('DuckDB')
})

describe('the npm package', () => {
  test('has neither tests nor data, but types', () => {
    const paths = run('tar', ['-tzf', released(PACKAGE)], release)
      .trimEnd()
      .split('\n')
    const folders = new Set(paths.map(path => path.split('/').slice(1, -1)[0] ?? ''))
    expect([...folders].toSorted()).toEqual(['', 'bin', 'data', 'dist', 'docs', 'sql', 'src'])
    expect(paths.filter(path => path.startsWith('package/data/') && !path.includes('/examples/'))).toEqual([])
    expect(paths.filter(path => /\.(csv|parquet|test\.ts)$/.test(path))).toEqual([])
    expect(paths).toContain('package/dist/messages.d.ts')
    expect(paths).toContain('package/dist/THIRD_PARTY_NOTICES')
    expect(paths).not.toContain('package/dist/tapehouse')
  })

  test('runs from an installation without development packages, and by npx', async () => {
    const args = [
      'query',
      'analytics-window',
      '--symbols',
      'ACME',
      '--range',
      'full',
      '--calculations',
      'MEAN',
    ]
    const query = [...args, '--format', 'json', '--lake', await sharedMarket('day')]
    const expected = (await tapehouse(query)).stdout.toString()
    expect(expected).toContain('"MEAN"')
    const prefix = folderFor('global')
    run(
      'npm',
      ['install', '--global', '--prefix', prefix, '--omit=dev', '--engine-strict', released(PACKAGE)],
      prefix,
    )
    expect(run(join(prefix, 'bin/tapehouse'), query, prefix)).toBe(expected)
    expect(existsSync(join(prefix, 'lib/node_modules/tapehouse/node_modules/rolldown'))).toBe(false)
    const folder = folderFor('npx')
    expect(run('npx', ['--yes', `--package=${released(PACKAGE)}`, 'tapehouse', '--version'], folder)).toBe(
      `${version}\n`,
    )
  })

  test('has the types of the streaming messages', () => {
    const folder = folderFor('types')
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
    run('npm', ['install', '--omit=dev', released(PACKAGE)], folder)
    const program = (field: string) => `import { create, toBinary } from '@bufbuild/protobuf'
import { type OptionTrade, OptionTradeSchema } from 'tapehouse/messages'
const trade: OptionTrade = create(OptionTradeSchema, { ${field} })
console.log(toBinary(OptionTradeSchema, trade).length > 0)
`
    const tsc = (text: string) => {
      writeFileSync(join(folder, 'client.mts'), text)
      const options = [
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2023',
        '--lib',
        'es2023,dom',
        'client.mts',
      ]
      return spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options], {
        cwd: folder,
        encoding: 'utf8',
      })
    }
    const good = tsc(program(`id: 'one'`))
    expect([good.status, good.stdout]).toEqual([0, ''])
    expect(run(process.execPath, ['client.mjs'], folder)).toBe('true\n')
    expect(tsc(program('id: 1')).stdout).toContain("Type 'number' is not assignable to type 'string'")
  })
})

test('a clone installs without development packages, and says what a first build needs', () => {
  const other = cloned()
  run('npm', ['ci', '--omit=dev'], other)
  expect(existsSync(join(other, 'node_modules/rolldown'))).toBe(false)
  const prepared = spawnSync(process.execPath, ['bin/prepare.js'], { cwd: other, encoding: 'utf8' })
  expect([prepared.status, prepared.stderr]).toEqual([
    0,
    'tapehouse is not built: the build needs the development packages. Run "npm ci" without --omit=dev, or install the npm package of a release.\n',
  ])
  const started = spawnSync(process.execPath, ['bin/tapehouse.js', 'serve'], { cwd: other, encoding: 'utf8' })
  expect([started.status, started.stderr]).toEqual([
    1,
    'tapehouse: the program is not built: run "npm ci" in the checkout, without --omit=dev\n',
  ])
})

test('docs/binary.md names the lowest glibc of the binary and of its library', () => {
  /** The highest version of glibc among the symbols that a file needs. */
  const glibcOf = (path: string) => {
    const names =
      readFileSync(path)
        .toString('latin1')
        .match(/GLIBC_2\.\d+(?=\0)/g) ?? []
    return Math.max(...names.map(name => Number(name.slice('GLIBC_2.'.length))))
  }
  const folder = folderFor('glibc')
  run('tar', ['-xJf', released(ARCHIVE)], folder)
  const [node, library] = [
    glibcOf(join(folder, `tapehouse-${version}-linux-x64/tapehouse`)),
    glibcOf(join(root, 'node_modules/@duckdb/node-bindings-linux-x64/libduckdb.so')),
  ]
  expect(read('docs/binary.md').replaceAll(/\s+/g, ' ')).toContain(
    `glibc 2.${node} is what Node.js 26 needs; the library of DuckDB needs 2.${library}.`,
  )
})

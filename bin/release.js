// `npm run release`: makes the folder `release` of the version in package.json. See docs/binary.md.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lockedPackages, nodePackage } from './locked-packages.js'
import { notices } from './notices.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const at = path => join(root, path)
const { name, version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const lock = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
const release = resolve(process.argv[2] ?? at('release'))
const folder = `${name}-${version}-linux-x64`

const run = (program, args, options = {}) =>
  execFileSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    ...options,
  })

/** Folders of the packages that the program contains, and of those that it loads on this platform. */
const productFolders = () => {
  const loaded = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(at(path)))
    .map(([path]) => path)
  const bundled = JSON.parse(readFileSync(at('dist/bundled.json'), 'utf8'))
  return [...new Set([...loaded, ...bundled])].map(at)
}

/**
 * One tar archive per commit: the files have its time, and no names of users. The level of xz takes a third of the time of
 * the default one, for a tenth more bytes.
 */
function binaryTarball() {
  const files = join(release, folder)
  mkdirSync(files)
  copyFileSync(at('dist/tapehouse'), join(files, 'tapehouse'))
  copyFileSync(join(release, 'THIRD_PARTY_NOTICES'), join(files, 'THIRD_PARTY_NOTICES'))
  copyFileSync(at('docs/binary.md'), join(files, 'README.md'))
  const time = `@${run('git', ['log', '-1', '--format=%ct']).trim()}`
  run(
    'tar',
    [
      ...[
        '--sort=name',
        '--owner=0',
        '--group=0',
        '--numeric-owner',
        '--mode=u=rwX,go=rX',
        `--mtime=${time}`,
      ],
      ...['-cJf', `${folder}.tar.xz`, folder],
    ],
    { cwd: release, env: { ...process.env, XZ_OPT: '-T0 -3' } },
  )
  rmSync(files, { recursive: true })
}

/**
 * Removes the packages from a CycloneDX document that neither are in the program nor are loaded by it. Those in the program are
 * development packages for npm.
 */
function keepProduct(document) {
  const product = new Set(
    productFolders().map(folder => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return `${name}@${version}`
    }),
  )
  const isProduct = ({ group, name, version }) => product.has(`${group ? `${group}/` : ''}${name}@${version}`)
  const kept = components =>
    components.flatMap(({ components: inner = [], properties = [], ...component }) =>
      isProduct(component)
        ? [
            {
              ...component,
              properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
              components: kept(inner),
            },
          ]
        : kept(inner),
    )
  document.components = kept(document.components)
  const refsOf = components =>
    components.flatMap(({ 'bom-ref': ref, components: inner }) => [ref, ...refsOf(inner)])
  const refs = new Set([document.metadata.component['bom-ref'], ...refsOf(document.components)])
  document.dependencies = document.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(each => refs.has(each)) }))
}

/** The packages of the product as a CycloneDX document, with the Node.js of the binary. */
function billOfMaterials() {
  const tool = join(lockedPackages('release'), '@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js')
  const args = ['--output-reproducible', '--output-format', 'JSON', '--mc-type', 'application']
  const document = JSON.parse(run(process.execPath, [tool, ...args]))
  keepProduct(document)
  const node = JSON.parse(readFileSync(join(nodePackage(), 'package.json'), 'utf8'))
  document.components.push({
    type: 'platform',
    name: 'node',
    version: node.version,
    'bom-ref': `node@${node.version}`,
    purl: `pkg:npm/${node.name}@${node.version}`,
    licenses: [{ license: { id: node.license } }],
  })
  writeFileSync(join(release, `${name}-${version}.cdx.json`), `${JSON.stringify(document, null, 2)}\n`)
}

function checksums() {
  const lines = readdirSync(release)
    .sort()
    .map(
      file =>
        `${createHash('sha256')
          .update(readFileSync(join(release, file)))
          .digest('hex')}  ${file}\n`,
    )
  writeFileSync(join(release, 'SHA256SUMS'), lines.join(''))
}

rmSync(release, { recursive: true, force: true })
mkdirSync(dirname(release), { recursive: true })
mkdirSync(release)
writeFileSync(join(release, 'THIRD_PARTY_NOTICES'), notices([...productFolders(), nodePackage()]))
binaryTarball()
run('npm', ['pack', '--silent', '--pack-destination', release])
billOfMaterials()
checksums()
for (const file of readdirSync(release)) process.stdout.write(`${join(release, file)}\n`)

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyOfDebian } from './debian.ts'

const output = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** The folder of the npm on the path, `bin/npm-cli.js` in it. */
const npmFolder = () => dirname(dirname(realpathSync(output('sh', ['-c', 'command -v npm']))))

/** Mounts the Node.js that runs the test, and its npm, where the images of Node.js have theirs. */
export const nodeMounts = (): readonly string[] => [
  ...['--ro-bind', process.execPath, '/usr/local/bin/node'],
  ...['--ro-bind', npmFolder(), '/usr/local/lib/node_modules/npm'],
]

/** Options of `bwrap` that let npm reach its registry as on this machine: names, certificates and the settings of npm. */
export function registryOptions(): readonly string[] {
  const [registry = '', settings = '', certificates = ''] = ['registry', 'userconfig', 'cafile'].map(name =>
    output('npm', ['config', 'get', name]),
  )
  const mounts = [
    ['/etc/resolv.conf', '/etc/resolv.conf'],
    ['/etc/hosts', '/etc/hosts'],
    [settings, '/root/.npmrc'],
    [certificates, certificates],
  ].flatMap(([from = '', to = '']) => (existsSync(from) ? ['--ro-bind', realpathSync(from), to] : []))
  const authorities = existsSync(certificates) ? ['--setenv', 'npm_config_cafile', certificates] : []
  return [...mounts, ...authorities, '--setenv', 'npm_config_registry', registry]
}

/**
 * A new root for a base image that the Dockerfile names. The image itself cannot be pulled without a registry of images:
 * the root is the machine's version of Debian, where `nodeMounts` mounts the Node.js that runs the test.
 */
export async function baseImage(name: string): Promise<string> {
  if (!/^node:\d+-\w+-slim$/.test(name)) throw new Error(`the test has no base image ${name}`)
  const root = await copyOfDebian()
  // What `nodeMounts` covers must be there where the root is read-only.
  writeFileSync(join(root, 'usr/local/bin/node'), '')
  mkdirSync(join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  return root
}

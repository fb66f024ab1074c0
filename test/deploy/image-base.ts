import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
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

/** Mounts what npm needs to reach its registry as on this machine: names, certificates and the settings of npm. */
export function registryMounts(): readonly string[] {
  const settings = ['userconfig', 'globalconfig', 'cafile'].map(name =>
    output('npm', ['config', 'get', name]),
  )
  const [user = '', global = '', certificates = ''] = settings
  return [
    ['/etc/resolv.conf', '/etc/resolv.conf'],
    ['/etc/hosts', '/etc/hosts'],
    [user, '/root/.npmrc'],
    [global, '/usr/local/etc/npmrc'],
    [certificates, certificates],
  ].flatMap(([from = '', to = '']) => (existsSync(from) ? ['--ro-bind', realpathSync(from), to] : []))
}

/**
 * A new root for a base image that the Dockerfile names. The image itself cannot be pulled without a registry of images:
 * the root is the machine's version of Debian, where `nodeMounts` mounts the Node.js that runs the test.
 */
export async function baseImage(name: string): Promise<string> {
  if (!/^node:\d+-\w+-slim$/.test(name)) throw new Error(`the test has no base image ${name}`)
  const root = await copyOfDebian()
  mkdirSync(join(root, 'usr/local/lib/node_modules'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
  return root
}

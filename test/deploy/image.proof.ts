import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { type Launch, listening } from '../cli/process.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { read, root } from '../house/source.ts'

const isInstalled = existsSync('/usr/bin/bwrap')

/** npm has none of the settings of the npm that runs the tests. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(lifecycle|package|command|config_engine)|TAPEHOUSE_|VITEST|NODE_)/i.test(name),
  ),
)

let folder = ''
let installed = ''

/** What the Dockerfile copies: the package of the project, installed without development dependencies. */
beforeAll(() => {
  if (!isInstalled) return
  folder = mkdtempSync(join(inject('runFolder'), 'image-'))
  installed = join(folder, 'tapehouse')
  const options = { env, stdio: 'pipe' } as const
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { ...options, cwd: root })
  const [archive = ''] = readdirSync(folder).filter(name => name.endsWith('.tgz'))
  execFileSync(
    'npm',
    ['install', '--prefix', installed, '--omit=dev', '--no-audit', '--no-fund', join(folder, archive)],
    { ...options, cwd: folder },
  )
}, 300_000)

test.skipIf(!isInstalled)(
  'the root of the image serves: another user, nothing writable but /tmp, the lake read-only (needs the package bubblewrap)',
  async () => {
    const dockerfile = read('deploy/Dockerfile')
    const [, user = ''] = /^USER (\d+):\d+$/m.exec(dockerfile) ?? []
    const [, entry = ''] = /^ENTRYPOINT \["\/opt\/tapehouse\/(.+)"\]$/m.exec(dockerfile) ?? []
    const set = [...dockerfile.matchAll(/(TAPEHOUSE_\w+|HOME)=(\S+)/g)].flatMap(
      ([, name = '', value = '']) => (name === 'TAPEHOUSE_HOST' ? [] : ['--setenv', name, value]),
    )
    const lake = join(folder, 'lake')
    cpSync(await sharedMarket('small'), lake, { recursive: true })
    const secrets = join(folder, 'secrets')
    mkdirSync(secrets)
    const tokens = join(secrets, 'tokens.json')
    const token = await createToken(tokens, { name: 'me', routes: ['*'], owner: null, expiresAt: null })
    execFileSync('chmod', ['-R', 'a+rX', folder])
    chmodSync(tokens, 0o444)
    const node = join(process.execPath, '../..')
    const inRoot = [
      ...['--unshare-user', '--uid', user, '--gid', user, '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
      ...['--ro-bind', '/usr', '/usr', '--ro-bind', node, node],
      ...['bin', 'lib', 'lib64'].flatMap(name => ['--symlink', `usr/${name}`, `/${name}`]),
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
      ...['--ro-bind', installed, '/opt/tapehouse', '--ro-bind', lake, '/lake'],
      ...['--ro-bind', secrets, '/run/tapehouse', '--remount-ro', '/'],
      ...['--clearenv', '--setenv', 'PATH', '/usr/local/bin:/usr/bin:/bin', ...set, '--die-with-parent'],
    ]
    const launch: Launch = args =>
      spawn('bwrap', [...inRoot, process.execPath, `/opt/tapehouse/${entry}`, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    const server = await listening(
      ['serve', '--port', '0', '--admin-port', '0', '--workers', '1'],
      {},
      launch,
    )
    const answered = await fetch(`${server.url}/api/stock/ACME/oi-per-expiry`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answered.status).toBe(200)
    expect(((await answered.json()) as { data: unknown[] }).data.length).toBeGreaterThan(0)
    const written = (path: string) => {
      try {
        execFileSync('bwrap', [...inRoot, 'touch', path], { stdio: 'pipe' })
        return true
      } catch {
        return false
      }
    }
    expect(['/x', '/lake/x', '/opt/tapehouse/x', '/run/tapehouse/x', '/tmp/x'].filter(written)).toEqual([
      '/tmp/x',
    ])
  },
  120_000,
)

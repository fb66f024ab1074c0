import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createToken } from '../../src/api/service/token-file.ts'
import { sharedMarket } from '../fixtures/market.ts'
import { read, root } from '../house/source.ts'
import { contain, runIn } from './container.ts'
import { hasDebian } from './debian.ts'
import { built } from './dockerfile.ts'
import { baseImage, nodeMounts } from './image-base.ts'

/** npm has none of the settings of the npm that runs the tests. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(lifecycle|package|command|config_engine)|TAPEHOUSE_|VITEST|NODE_)/i.test(name),
  ),
)

/** The folder that the image is built from, with the npm package of a release. */
function buildContext(folder: string): string {
  const context = join(folder, 'context')
  mkdirSync(join(context, 'release'), { recursive: true })
  const args = ['pack', '--ignore-scripts', '--pack-destination', join(context, 'release')]
  execFileSync('npm', args, { env, stdio: 'pipe', cwd: root })
  return context
}

/** The settings that docs/deploy.md gives the container. */
const runSettings = () =>
  Object.fromEntries(
    [...read('docs/deploy.md').matchAll(/ -e (TAPEHOUSE_\w+)=(\S+)/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )

/** The lake and the folder of the tokens, and where docs/deploy.md mounts them. */
async function volumes(folder: string) {
  const [lakeAt = '', secretsAt = ''] = [...read('docs/deploy.md').matchAll(/ -v \S+:(\S+):ro/g)].map(
    ([, target = '']) => target,
  )
  const lake = join(folder, 'lake')
  cpSync(await sharedMarket('small'), lake, { recursive: true })
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  const tokens = join(secrets, 'tokens.json')
  const token = await createToken(tokens, { name: 'me', routes: ['*'], owner: null, expiresAt: null })
  execFileSync('chmod', ['-R', 'a+rX', lake, secrets])
  chmodSync(tokens, 0o444)
  return { mounts: { [lakeAt]: lake, [secretsAt]: secrets }, token }
}

test.skipIf(!hasDebian)(
  'the image of deploy/Dockerfile serves: another user, nothing writable but /tmp, the lake read-only (needs the packages mmdebstrap and bubblewrap)',
  async () => {
    const folder = mkdtempSync(join(inject('runFolder'), 'image-'))
    const context = buildContext(folder)
    const image = await built(read('deploy/Dockerfile'), { context, base: baseImage })
    const { mounts, token } = await volumes(folder)
    for (const target of Object.keys(mounts)) mkdirSync(join(image.root, target), { recursive: true })
    const user = [
      '/usr/bin/setpriv',
      `--reuid=${image.user}`,
      `--regid=${image.user}`,
      '--clear-groups',
      '--',
    ]

    const server = await contain(
      [
        ...['--ro-bind', image.root, '/', ...nodeMounts(), '--perms', '1777', '--tmpfs', '/tmp'],
        ...Object.entries(mounts).flatMap(([target, path]) => ['--ro-bind', path, target]),
        ...['--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID'],
      ],
      [...user, ...image.entrypoint, ...image.command],
      { ...image.env, ...runSettings() },
    )
    await server.until(() => server.output().includes(`:${image.port}`))
    expect(runIn(server, ['/usr/bin/stat', '--format=%u:%g', `/proc/${server.pid}`])).toBe(
      `${image.user}:${image.user}\n`,
    )
    expect(image.user).not.toBe('0')
    expect(server.output()).toMatch(/"preloaded":"[^"]+\/libjemalloc\.so\.2"/)

    const address = `http://127.0.0.1:${image.port}/api/stock/ACME/oi-per-expiry`
    const answer = runIn(server, ['/usr/bin/curl', '-s', '-H', `Authorization: Bearer ${token}`, address])
    expect((JSON.parse(answer) as { data: unknown[] }).data.length).toBeGreaterThan(0)

    const written = (path: string) => {
      try {
        runIn(server, [...user, '/usr/bin/touch', path])
        return true
      } catch {
        return false
      }
    }
    const targets = Object.keys(mounts).map(target => `${target}/x`)
    expect(targets).toEqual(['/lake/x', '/run/tapehouse/x'])
    expect(['/x', '/opt/tapehouse/x', '/tmp/x', ...targets].filter(written)).toEqual(['/tmp/x'])
    process.kill(server.pid, image.stopSignal)
    expect(await server.ended).toBe(0)
  },
)

test.skipIf(!hasDebian)(
  'an instruction or a form that the test does not carry out fails it (needs the packages mmdebstrap and bubblewrap)',
  async () => {
    const context = mkdtempSync(join(inject('runFolder'), 'context-'))
    const sources = { context, base: async () => context }
    const cases: Readonly<Record<string, string>> = {
      'VOLUME /data': 'does not know how to carry out: VOLUME /data',
      'COPY --chown=1:1 a /b': 'does not know this form: --chown=1:1 a /b',
      'COPY a /b': 'COPY a /b: 0 files have this name',
      'RUN exit 3': 'Command failed',
    }
    for (const [line, message] of Object.entries(cases))
      await expect(built(`FROM base\n${line}\n`, sources), line).rejects.toThrow(message)
    await expect(
      built(read('deploy/Dockerfile').replace(/^FROM \S+/m, 'FROM alpine'), { context, base: baseImage }),
    ).rejects.toThrow('no base image alpine')
  },
)

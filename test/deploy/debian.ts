import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { madeOnce } from '../fixtures/once.ts'
import { read } from '../house/source.ts'

/** Whether a root of Debian can be made here, and programs run in it. Both need root. */
export const hasDebian =
  process.getuid?.() === 0 && ['/usr/bin/mmdebstrap', '/usr/bin/bwrap'].every(path => existsSync(path))

/** The packages that docs/getting-started.md installs on Debian. */
export function pagePackages(): readonly string[] {
  const [, names = ''] =
    /^apt-get update && apt-get install -y ([a-z\d+. -]+)$/m.exec(read('docs/getting-started.md')) ?? []
  return names.split(' ')
}

/** Where the machine finds the packages of its own system: other sources may not have a key in a new root. */
const SOURCES = ['sources.list', 'sources.list.d/debian.sources', 'sources.list.d/ubuntu.sources']

/**
 * A root of the machine's version of Debian as a minimal image has it, with the packages of the page. apt and dpkg install it, as
 * in any system; no daemon takes part. Made once per run, for `copyOfDebian`.
 */
const debian = () =>
  madeOnce('debian', async folder => {
    const [, suite = ''] = /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? []
    const settings = execFileSync('apt-config', ['dump'], { encoding: 'utf8' })
      .split('\n')
      .filter(line => line.startsWith('Acquire::'))
    execFileSync(
      'mmdebstrap',
      [
        ...['--quiet', '--mode=root', '--format=directory', '--variant=minbase'],
        `--include=${pagePackages().join(',')}`,
        ...settings.map(line => `--aptopt=${line}`),
        ...[suite, folder],
        ...SOURCES.map(name => join('/etc/apt', name)).filter(
          path => existsSync(path) && /^(deb|Types)/m.test(readFileSync(path, 'utf8')),
        ),
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
  })

/** A new copy of the root, which a test may change. */
export async function copyOfDebian(): Promise<string> {
  const folder = mkdtempSync(join(inject('runFolder'), 'root-'))
  copyTree(await debian(), folder)
  return folder
}

/** Copies what a folder has, with owners and rights. */
export const copyTree = (from: string, to: string): void => {
  execFileSync('cp', ['-a', '--reflink=auto', `${from}/.`, to])
}

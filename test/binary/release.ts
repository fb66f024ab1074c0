import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { madeOnce } from '../fixtures/once.ts'
import { root } from '../house/source.ts'

/** npm and its children have none of the settings of the npm that runs the tests, nor those of the project's `.npmrc`. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(lifecycle|package|command|config_(engine_strict|\w*prefix|loglevel))|TAPEHOUSE_|VITEST|NODE_(ENV|OPTIONS))/i.test(
        name,
      ),
  ),
)

/** Runs a program in a folder with the environment of a person. Returns its standard output. */
export const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** A new clone of the project, with the files of the working folder. */
export function cloned(): string {
  const clone = join(mkdtempSync(join(inject('runFolder'), 'clone-')), 'tapehouse')
  run('git', ['clone', '--quiet', root, clone], root)
  const listed = run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], root)
  const paths = listed.split('\n').filter(path => path !== '' && existsSync(join(root, path)))
  spawnSync('xargs', ['cp', '--parents', '--target-directory', clone], { cwd: root, input: paths.join('\n') })
  return clone
}

/** A clone in which `npm ci` and `npm run release` ran, once per run: its folder `release` has the files of a release. */
export async function releasedClone(): Promise<string> {
  const folder = await madeOnce('released', async folder => {
    const clone = cloned()
    run('npm', ['ci'], clone)
    run('npm', ['run', 'release'], clone)
    renameSync(clone, join(folder, 'tapehouse'))
  })
  return join(folder, 'tapehouse')
}

import { type ChildProcess, spawn } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeOnce } from '../../fixtures/once.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The modules that such processes can import, as `./dist/<name>.js`. */
const MODULES = [
  'cli/terminal/interrupt',
  'engine/resources',
  'engine/running/statements',
  'engine/temporary-folder',
  'engine/writer',
  'lake/adopt/adopt',
  'lake/derive/derive',
  'lake/generate/generate',
  'lake/import/import',
  'lake/imports/undo',
  'lake/land/draft',
  'lake/land/land',
  'lake/maintain/drop',
  'lake/maintain/upgrade',
  'lake/maintain/verify',
  'lake/repair/repair',
  'lake/snapshots/kept',
  'lake/snapshots/restore',
  'lake/store/datasets',
]

/** Puts the program's compiled modules into `folder`, where processes of their own can run them. */
export async function compileInto(folder: string): Promise<void> {
  const compiled = await madeOnce('compiled', compile)
  symlinkSync(join(compiled, 'dist'), join(folder, 'dist'))
}

/** Bundles the modules as the build of the program does: a process loads them in a quarter of the time of single files. */
async function compile(folder: string): Promise<void> {
  // Few test files need it.
  const { build } = await import('rolldown')
  await build({
    cwd: root,
    input: Object.fromEntries(MODULES.map(name => [name, `src/${name}.ts`])),
    platform: 'node',
    external: ['@duckdb/node-bindings'],
    output: {
      dir: join(folder, 'dist'),
      entryFileNames: '[name].js',
      // One folder deep: the code finds the project's root relative to `import.meta.url`.
      chunkFileNames: 'program/[name].js',
    },
  })
  for (const name of ['sql', 'package.json', 'node_modules'])
    symlinkSync(join(root, name), join(folder, name))
}

/** Starts `script` (a module's text that imports from ./dist) beside what was compiled into `folder`. */
export function start(
  folder: string,
  script: string,
  environment: Record<string, string> = {},
): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/** Runs `script` to its end, or kills it before: the signal that ended it, its exit code, its output. */
export async function run(
  folder: string,
  script: string,
  environment: Record<string, string> = {},
  killAfterMs?: number,
) {
  const child = start(folder, script, environment)
  const killing = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  let stderr = ''
  child.stderr?.on('data', chunk => {
    stderr += String(chunk)
  })
  return new Promise<{ code: number | null; signal: string | null; stderr: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(killing)
      resolve({ code, signal, stderr })
    })
  })
}

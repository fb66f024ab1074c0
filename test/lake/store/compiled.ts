import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeOnce } from '../../fixtures/once.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Puts the program's compiled modules into `folder`, where processes of their own can run them. */
export async function compileInto(folder: string): Promise<void> {
  const compiled = await madeOnce('compiled', async into => compile(into))
  symlinkSync(join(compiled, 'dist'), join(folder, 'dist'))
}

function compile(folder: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const out = join(folder, 'dist')
  const options = ['-p', 'tsconfig.build.json', '--outDir', out]
  const { stdout } = spawnSync(process.execPath, [compiler, ...options], { cwd: root, encoding: 'utf8' })
  if (!existsSync(join(out, 'lake/land/land.js'))) throw new Error(`not compiled: ${stdout}`)
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

import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderForTest } from '../fixtures/lake.ts'
import { root } from './source.ts'

/** Runs vitest with a reporter of this project over test files of their own, in a folder that is removed with the test. */
export function runOtherTests({
  files,
  reporter,
  settings = {},
  args = [],
  env = {},
}: {
  /** Their texts, by name. */
  readonly files: Readonly<Record<string, string>>
  /** The reporter's path in the project. */
  readonly reporter: string
  /** More settings of the tests. */
  readonly settings?: object
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}) {
  const folder = folderForTest()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const config = { test: { ...settings, reporters: [join(root, reporter)] } }
  writeFileSync(join(folder, 'vitest.config.ts'), `export default ${JSON.stringify(config)}`)
  const { status, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--root', folder, ...args],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } },
  )
  return { status, stderr }
}

import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Launch } from '../cli/process.ts'
import { root } from '../house/source.ts'

/** The single binary, alone in a folder, with an empty home folder. */
export interface Binary {
  readonly folder: string
  readonly path: string
  readonly home: string
  /** Starts it there, with an empty PATH and nothing else in the environment but a home folder and `env`. */
  readonly launch: Launch
  /** Starts it as `launch` does, as a user who may not write to the folders of root, if the tests run as root. */
  readonly launchAsOther: Launch
}

/** The id of the user `nobody`. */
const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0

/** Builds the binary and moves it to an empty folder. */
export function builtBinary(): Binary {
  execFileSync(process.execPath, ['bin/build-binary.js'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const folder = mkdtempSync(join(inject('runFolder'), 'binary-'))
  const home = join(folder, 'home')
  const path = join(folder, 'tapehouse')
  const temporary = join(folder, 'tmp')
  mkdirSync(home)
  mkdirSync(temporary)
  chmodSync(temporary, 0o1777)
  // A copy, because a file cannot be moved to another file system.
  copyFileSync(join(root, 'dist/tapehouse'), path)
  rmSync(join(root, 'dist/tapehouse'))
  const launch =
    (user: { uid?: number; gid?: number }): Launch =>
    (args, env) =>
      spawn(path, [...args], {
        cwd: folder,
        env: { HOME: home, PATH: '', TMPDIR: temporary, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...user,
      })
  return {
    folder,
    path,
    home,
    launch: launch({}),
    launchAsOther: launch(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  }
}

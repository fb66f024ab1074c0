#!/usr/bin/env node
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { platformProblem, thisPlatform } from './platforms.js'

keepCompiledCode()
const main = new URL('../dist/main.js', import.meta.url)
const problem = (await isWorker()) ? null : platformProblem(thisPlatform())
if (problem !== null) {
  process.stderr.write(`tapehouse: ${problem}\n`)
  process.exitCode = 1
} else if (existsSync(main)) {
  await import(main.href)
} else {
  process.stderr.write(
    'tapehouse: the program is not built: run "npm ci" in the checkout, without --omit=dev\n',
  )
  process.exitCode = 1
}

/** Whether this is a worker of a server, whose supervisor has checked the platform. Only workers have `node:cluster` loaded. */
async function isWorker() {
  return process.send !== undefined && (await import('node:cluster')).default.isWorker
}

/**
 * Keeps compiled code in the cache folder of the user, from Node.js 22.1 on. Node.js checks that it belongs to the same
 * source and version, and goes on without it if the folder cannot be written.
 */
function keepCompiledCode() {
  try {
    const { XDG_CACHE_HOME: cache = '' } = process.env
    const folder = isAbsolute(cache) ? cache : join(homedir(), '.cache')
    if (isAbsolute(folder)) module.enableCompileCache?.(join(folder, 'tapehouse', 'compiled'))
  } catch {
    // A user without a home folder.
  }
}

#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { platformProblem, thisPlatform } from './platforms.js'

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

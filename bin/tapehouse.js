#!/usr/bin/env node
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(main)) {
  await import(main.href)
} else {
  process.stderr.write(
    'tapehouse: the program is not built: run "npm ci" in the checkout, without --omit=dev\n',
  )
  process.exitCode = 1
}

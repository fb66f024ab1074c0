// `npm run test:soak`: runs test/hold/soak.soak.ts for a time. docs/testing.md describes it.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const HELP = `Loads a server for an hour, while snapshots are published, and prints how its memory and descriptors grow.

Usage: npm run test:soak [-- [--short | --minutes N]]

Flags:
  --short      Ten minutes.
  --minutes N  From 2 to 1440 minutes. Below ten, the growth of memory is printed and not judged.
  --help       Print this text.
`

const { values } = parseArgs({
  options: { short: { type: 'boolean' }, minutes: { type: 'string' }, help: { type: 'boolean' } },
})
const minutes = Number(values.minutes ?? (values.short ? 10 : 60))
if (values.help) process.stdout.write(HELP)
else if (!Number.isInteger(minutes) || minutes < 2 || minutes > 1440) {
  process.stderr.write(`soak: --minutes must be a whole number from 2 to 1440, not ${values.minutes}\n`)
  process.exitCode = 2
} else {
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'vitest.soak.config.ts'], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, TAPEHOUSE_SOAK_MINUTES: String(minutes) },
  })
  child.once('close', code => {
    process.exitCode = code ?? 1
  })
}

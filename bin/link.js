// Links `tapehouse` into node_modules/.bin, so that `npx tapehouse` runs this checkout without installing anything.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('./tapehouse.js', import.meta.url))
const bin = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url))
mkdirSync(bin, { recursive: true })
chmodSync(command, 0o755)
rmSync(`${bin}tapehouse`, { force: true })
if (process.platform === 'win32') writeFileSync(`${bin}tapehouse.cmd`, `@node "${command}" %*\r\n`)
else symlinkSync(command, `${bin}tapehouse`)

import { smoke } from '../dist/cli/smoke.js'

process.exitCode = await smoke(process.argv.slice(2))

import { smoke } from '../dist/program/smoke.js'

process.exitCode = await smoke(process.argv.slice(2))

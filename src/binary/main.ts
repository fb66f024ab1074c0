import cluster from 'node:cluster'
import { runProgram } from '../cli/program.ts'
import { replaceResources } from '../engine/resources.ts'
import { assets } from './assets.ts'

replaceResources(assets)
// In a worker of the server, `cluster` puts the path of the script, which is the binary, in front of the arguments.
process.exitCode = await runProgram(process.argv.slice(cluster.isWorker ? 3 : 2))

import cluster from 'node:cluster'
import { runProgram } from '../cli/program.ts'
import { replaceResources } from '../engine/resources.ts'
import { assets } from './assets.ts'

replaceResources(assets)
// In a worker of the server, `cluster` puts the path of the script, which is the binary, in front of the arguments.
// No `await`: the modules of the binary are CommonJS.
void runProgram(process.argv.slice(cluster.isWorker ? 3 : 2)).then(code => {
  process.exitCode = code
})

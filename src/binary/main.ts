import { runProgram } from '../cli/program.ts'
import { replaceResources } from '../engine/resources.ts'
import { assets } from './assets.ts'

replaceResources(assets)
// No `await` at the top: the modules of the binary are CommonJS.
void run()

async function run(): Promise<void> {
  // In a worker of the server, `cluster` puts the flags of V8 and the path of the script, which is the binary, in front of
  // the arguments.
  const first = (await isWorker()) ? 3 + process.execArgv.length : 2
  process.exitCode = await runProgram(process.argv.slice(first))
}

/** A process without a channel to its parent is no worker. It need not load `node:cluster`, which takes 4 ms. */
async function isWorker(): Promise<boolean> {
  return process.send !== undefined && (await import('node:cluster')).default.isWorker
}

import { runProgram } from './cli/program.ts'

// No `await` at the top: the modules of the build are CommonJS.
void run()

async function run(): Promise<void> {
  process.exitCode = await runProgram(process.argv.slice(2))
}

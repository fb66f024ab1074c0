import { join } from 'node:path'

/** The program as it is installed, in the checkout in which the benchmark runs. `npm run bench` builds it first. */
export const PROGRAM = join(process.cwd(), 'bin/tapehouse.js')

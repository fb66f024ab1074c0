import { setFlagsFromString } from 'node:v8'

const OPTIONS = [
  // How much the heap grows between two markings. V8 allows up to four times what is in use if objects were made fast before the last
  // marking, as while a worker answers its first requests. It reads the setting at the end of each marking.
  '--heap-growing-percent=70',
  // Few young objects survive, so that the thread that collects them is faster alone than with four others that it wakes.
  '--no-parallel-scavenge',
]

/**
 * The bytes of bytecode that a function runs until V8 of Node.js 20 compiles it with its optimizing compiler; its default is 132 KiB.
 * The code of an answer is many functions that are called once for each request: thousands of requests come before all are compiled.
 * Later versions count calls instead and have a compiler in between, which begins sooner.
 */
const SOONER_COMPILED = '--interrupt-budget=20000'

/** Sets options of V8 in this process that `NODE_OPTIONS` may not have. They take effect while the process runs. */
export function setV8Options(): void {
  const isOfNode20 = process.versions.v8.startsWith('11.')
  for (const option of [...OPTIONS, ...(isOfNode20 ? [SOONER_COMPILED] : [])]) setFlagsFromString(option)
}

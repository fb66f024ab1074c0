// Loaded before a server with --import. In its workers, it writes down each pass of the event loop that took more than
// 5 ms of processor time of its thread: a line "<end, as of Date.now()> <ms of the processor>" in a file of the folder
// LOOP_PASSES. The kernel states this time to 4 ms.

import cluster from 'node:cluster'
import { appendFileSync, openSync, readSync } from 'node:fs'

const WRITTEN_MS = 5

if (cluster.isWorker) observe(`${process.env.LOOP_PASSES}/${process.pid}`)

function observe(file) {
  const descriptor = openSync(`/proc/self/task/${process.pid}/schedstat`)
  const bytes = Buffer.alloc(64)
  const usedMs = () => {
    const length = readSync(descriptor, bytes, 0, bytes.length, 0)
    return Number(bytes.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6
  }
  let beforeMs = usedMs()
  const passed = () => {
    const passMs = usedMs() - beforeMs
    if (passMs > WRITTEN_MS) appendFileSync(file, `${Date.now()} ${passMs.toFixed(1)}\n`)
    beforeMs = usedMs()
    // Without a reference, it runs once per pass, and lets the loop wait.
    setImmediate(passed).unref()
  }
  passed()
}

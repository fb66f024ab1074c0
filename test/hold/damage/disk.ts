import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isSame, stampOf } from '../../../src/lake/stamp/stamp.ts'

/** What Node.js cannot do to files. */
export interface Disk {
  /** Flips a bit and sets the time of modification back, to the nanosecond. */
  setBack(path: string, place: number): Promise<void>
  /** Maps a file, so that its bytes can change unnoticed while it has not been written back to the disk. */
  watch(path: string): Promise<void>
  /** Flips a bit in the middle of a watched file, as a disk does that decays: no time of the file changes. */
  decay(path: string): Promise<void>
  close(): void
}

/** The first write to a page of a mapping sets the times of the file; later ones, while the page is dirty, do not. */
const PROGRAM = `
import mmap, os, sys
maps = {}
for line in sys.stdin:
    command, place, path = line.rstrip("\\n").split(" ", 2)
    if command == "setBack":
        times = os.stat(path)
        with open(path, "r+b") as file:
            file.seek(int(place))
            byte = file.read(1)[0]
            file.seek(int(place))
            file.write(bytes([byte ^ 1]))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    else:
        if command == "watch":
            with open(path, "r+b") as file:
                maps[path] = mmap.mmap(file.fileno(), 0)
        pages = maps[path]
        middle = len(pages) // 2
        pages[middle] = pages[middle] ^ (1 if command == "decay" else 0)
    print(command, flush=True)
`

/** Starts python3, which this needs. */
export function openDisk(): Disk {
  const python = spawn('python3', ['-c', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
  const send = async (command: string, path: string, place = 0) => {
    python.stdin.write(`${command} ${place} ${path}\n`)
    const { value } = await answers.next()
    if (value !== command) throw new Error(`python3 has ended instead of ${command}`)
  }
  return {
    setBack: (path, place) => send('setBack', path, place),
    watch: path => send('watch', path),
    async decay(path) {
      const before = stampOf(path)
      await send('decay', path)
      if (!isSame(before, stampOf(path))) throw new Error(`the times of ${path} have changed`)
    },
    close: () => void python.kill(),
  }
}

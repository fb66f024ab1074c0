import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isSame, stampOf } from '../../../src/lake/proof/stamp.ts'

/** A disk that returns other bytes than were written: the content of files changes, and none of their times. */
export interface Decay {
  /** Maps a file. Until it is written back to the disk, or for good in memory, its bytes can change unnoticed. */
  watch(path: string): Promise<void>
  /** Flips a bit in the middle of a watched file. */
  flip(path: string): Promise<void>
  close(): void
}

/** The first write to a page of a mapping sets the times of the file; later ones, while the page is dirty, do not. */
const PROGRAM = `
import mmap, sys
maps = {}
for line in sys.stdin:
    command, path = line.rstrip("\\n").split(" ", 1)
    if command == "watch":
        with open(path, "r+b") as file:
            maps[path] = mmap.mmap(file.fileno(), 0)
    pages = maps[path]
    middle = len(pages) // 2
    pages[middle] = pages[middle] ^ (1 if command == "flip" else 0)
    print(command, flush=True)
`

export function startDecay(): Decay {
  const python = spawn('python3', ['-c', PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
  const send = async (command: string, path: string) => {
    python.stdin.write(`${command} ${path}\n`)
    const { value } = await answers.next()
    if (value !== command) throw new Error(`python3 has ended instead of ${command}`)
  }
  return {
    watch: path => send('watch', path),
    async flip(path) {
      const before = stampOf(path)
      await send('flip', path)
      if (!isSame(before, stampOf(path))) throw new Error(`the times of ${path} have changed`)
    },
    close: () => void python.kill(),
  }
}

import { execFileSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../../fixtures/lake.ts'

/** What happens to files. `other` is a file of the same dataset and of another day. */
export const DAMAGES: Readonly<Record<string, (path: string, other: string) => void>> = {
  'a bit flips in the middle': path => {
    const bytes = readFileSync(path)
    const middle = bytes.length >> 1
    bytes.writeUInt8((bytes[middle] ?? 0) ^ 1, middle)
    writeFileSync(path, bytes)
  },
  'a bit flips, and the times are set back': path => {
    const before = join(temporaryFolder(), 'before')
    execFileSync('cp', ['-p', path, before])
    const bytes = readFileSync(path)
    bytes.writeUInt8((bytes[8] ?? 0) ^ 1, 8)
    writeFileSync(path, bytes)
    // To the nanosecond, which Node.js cannot do.
    execFileSync('touch', ['-r', before, path])
    rmSync(dirname(before), { recursive: true })
  },
  'the end is lost': path => truncateSync(path, statSync(path).size - 1),
  'nothing is left of it': path => truncateSync(path, 0),
  'it is deleted': path => rmSync(path),
  'it has the content of another day': (path, other) => writeFileSync(path, readFileSync(other)),
  'it is swapped with that of another day': (path, other) => {
    renameSync(path, `${path}.aside`)
    renameSync(other, path)
    renameSync(`${path}.aside`, other)
  },
}

/** A function that puts the present content of the files back. */
export function keepContent(...paths: readonly string[]): () => void {
  const contents = paths.map(path => [path, readFileSync(path)] as const)
  return () => {
    for (const [path, content] of contents) writeFileSync(path, content)
  }
}

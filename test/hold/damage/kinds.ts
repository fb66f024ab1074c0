import { readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import type { Random } from '../../reference/drawing/random.ts'
import type { Disk } from './disk.ts'

/** What happens to a file, at a random place of it, and to the file `other`, which is of the same dataset if it can be. */
export interface Kind {
  readonly name: string
  /** Whether the other file is damaged too. */
  readonly isBoth?: true
  act(path: string, other: string, random: Random, disk: Disk): Promise<void> | void
}

export const KINDS: readonly Kind[] = [
  {
    name: 'a bit flips',
    act(path, _, random) {
      const bytes = readFileSync(path)
      const place = random.whole(0, bytes.length - 1)
      bytes.writeUInt8((bytes[place] ?? 0) ^ (1 << random.whole(0, 7)), place)
      writeFileSync(path, bytes)
    },
  },
  {
    name: 'a bit flips, times set back',
    act: (path, _, random, disk) => disk.setBack(path, random.whole(0, statSync(path).size - 1)),
  },
  {
    name: 'truncated',
    act: (path, _, random) => truncateSync(path, random.whole(0, statSync(path).size - 1)),
  },
  { name: 'empty', act: path => truncateSync(path, 0) },
  { name: 'deleted', act: path => rmSync(path) },
  { name: "another file's content", act: (path, other) => writeFileSync(path, readFileSync(other)) },
  {
    name: 'swapped with another file',
    isBoth: true,
    act(path, other) {
      renameSync(path, `${path}.aside`)
      renameSync(other, path)
      renameSync(`${path}.aside`, other)
    },
  },
]

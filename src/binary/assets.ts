import { basename } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { Worker } from 'node:worker_threads'
import type { Resources } from '../engine/resources.ts'
import type { NativePart } from './native.ts'

/** What bin/build-binary.js has put into the binary: the asset `contents.json`. */
interface Contents {
  /** The identifier of the build that the binary was made from. */
  readonly build: string
  /** Paths of the text files, relative to the project's root. Each is an asset of that name. */
  readonly texts: readonly string[]
  /** Each is the asset `native/<name>`. */
  readonly native: readonly NativePart[]
}

export const contents: Contents = JSON.parse(getAsset('contents.json', 'utf8'))

/** The bytes of a native part. */
export const nativeBytes = ({ name }: NativePart): Uint8Array =>
  // Without an encoding it is never a string.
  new Uint8Array(getRawAsset(`native/${name}`) as ArrayBuffer)

/** The entries of a folder: files and folders. Few folders are listed, so there is no list of all of them. */
function entriesIn(folder: string): string[] {
  const start = `${folder}/`
  const names = contents.texts.flatMap(path =>
    path.startsWith(start) ? path.slice(start.length).split('/', 1) : [],
  )
  return [...new Set(names)].sort()
}

/** The text files and threads inside the binary. */
export const assets: Resources = {
  read: path => getAsset(path, 'utf8'),
  list: entriesIn,
  build: () => contents.build,
  startThread: file =>
    new Worker(`${getAsset('loader.js', 'utf8')}\nload('${basename(file.pathname)}')`, { eval: true }),
}

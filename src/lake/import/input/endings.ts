import { basename } from 'node:path'
import type { Kind } from '../format/format.ts'

/** File name extensions by kind, for the search in folders and archives. */
const ENDINGS: Readonly<Record<Kind, readonly string[]>> = {
  csv: ['.csv', '.tsv', '.txt', '.xlsx'],
  ndjson: ['.ndjson', '.jsonl', '.json'],
  parquet: ['.parquet'],
  json: ['.json', '.ndjson', '.jsonl'],
  xml: ['.xml', '.txt', '.nc'],
}

/** Extensions of archives, whose members are found like files of a folder. */
const ARCHIVES = ['.zip', '.tar', '.tgz', '.tar.gz', '.tzst', '.tar.zst']

/** Text that comes with data, what operating systems leave in archives, and the lock files of Office. */
const NOT_DATA =
  /^(\..*|~\$.*|__macosx|thumbs\.db|(read[ _-]?me|licen[cs]e|notice|copying|changelog|disclaimer)\b.*)$/i

/** Which files of folders and archives are looked at. */
export interface Endings {
  /** Of files that are not compressed, for messages. */
  readonly bare: readonly string[]
  /** Whether a file of this name has data or members with data. */
  isTaken(name: string): boolean
}

export function endingsOf(kinds: readonly Kind[]): Endings {
  const bare = [...new Set(kinds.flatMap(kind => ENDINGS[kind]))]
  const isData = (name: string) =>
    !isNotData(name) && (ends(name, bare) || ends(withoutCompression(name), bare.filter(isText)))
  return {
    bare,
    isTaken: name => isData(name) || (!isNotData(name) && ends(name, ARCHIVES)),
  }
}

const ends = (name: string, endings: readonly string[]) =>
  endings.some(ending => name.toLowerCase().endsWith(ending))

const isText = (ending: string) => ending !== '.parquet' && ending !== '.xlsx'

const withoutCompression = (name: string) => name.replace(/\.(gz|zst)$/i, '')

/** Whether a file is known not to be data by its name or that of a folder above it. */
export const isNotData = (path: string) => path.split('/').some(name => NOT_DATA.test(name))

/** A file's name without its folders and compression. */
export const bareName = (path: string) => withoutCompression(basename(path))

import { resources } from '../../engine/resources.ts'

/** What the SQL files of a folder define, by the name of the file. */
export interface SqlFiles<T> {
  /** The names of all files, without `.sql`, sorted. */
  names(): Iterable<string>
  /** What the file of this name defines; undefined if there is no such file. */
  find(name: string): T | undefined
}

/** Reads and parses each file when it is first needed: a command needs a few of them. */
export function sqlFiles<T extends object>(
  folder: string,
  parse: (file: string, sql: string, name: string) => T,
): SqlFiles<T> {
  const parsed = new Map<string, T>()
  let known: ReadonlySet<string> | undefined

  function names(): ReadonlySet<string> {
    known ??= new Set(
      resources.list(folder).flatMap(file => (file.endsWith('.sql') ? [file.slice(0, -'.sql'.length)] : [])),
    )
    return known
  }

  return {
    names,
    find(name) {
      const found = parsed.get(name)
      if (found !== undefined || !names().has(name)) return found
      const file = `${folder}/${name}.sql`
      const made = parse(file, resources.read(file), name)
      parsed.set(name, made)
      return made
    },
  }
}

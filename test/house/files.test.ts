import { basename, dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, read } from './source.ts'

const LINES_MAX = 300
/** Written by a generator, which has no such limit. A test of each checks that it is not edited. */
const GENERATED = ['src/stream/tapehouse_pb.ts']
const VAGUE = /(^|\/)(utils?|helpers?|managers?|common|misc)(\/|\.)/

describe('files', () => {
  const all = ['src', 'test', 'bench', 'bin', 'sql'].flatMap(folder =>
    ['.ts', '.js', '.sql', '.py'].flatMap(ending => filesBelow(folder, ending)),
  )

  test('have at most 300 lines', () => {
    const long = all
      .filter(path => !GENERATED.includes(path))
      .map(path => ({ path, lines: read(path).split('\n').length - 1 }))
      .filter(({ lines }) => lines > LINES_MAX)
    expect(long).toEqual([])
    for (const path of GENERATED) expect(read(path), path).toMatch(/^\/\/ @generated /m)
  })

  test('are named after a subject', () => {
    expect(all.filter(path => VAGUE.test(path))).toEqual([])
  })
})

/** Folders that hold one file for each operation. */
const CATALOGS = ['src/operations/catalog', 'test/reference/operations']
const FILES_MAX = 25

/** Members by their `key`. */
function grouped(members: readonly string[], key: (member: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const member of members) groups.set(key(member), [...(groups.get(key(member)) ?? []), member])
  return groups
}

describe('folders', () => {
  const files = ['src', 'test', 'bench'].flatMap(folder => filesBelow(folder, '.ts'))
  const byFolder = grouped(files, path => dirname(path))
  const folders = [...byFolder].filter(([folder]) => !CATALOGS.includes(folder))

  test('hold at most 25 files', () => {
    const large = folders.filter(([, paths]) => paths.length > FILES_MAX)
    expect(large.map(([folder, paths]) => `${folder}: ${paths.length}`)).toEqual([])
  })

  test('of the program hold no three files with one prefix, which a folder would say', () => {
    const prefixed = folders
      .filter(([folder]) => folder.startsWith('src'))
      .flatMap(([folder, paths]) => {
        const prefixes = grouped(paths, path => basename(path, '.ts').split('-')[0] ?? '')
        return [...prefixes].filter(([, same]) => same.length >= 3).map(([prefix]) => `${folder}/${prefix}-`)
      })
    expect(prefixed).toEqual([])
  })
})

describe('SQL templates', () => {
  const source = filesBelow('src', '.ts').map(read).join('\n')

  test('are all used', () => {
    const names = filesBelow('sql/endpoints', '.sql').map(path =>
      path.replace('sql/endpoints/', '').replace('.sql', ''),
    )
    expect(names.length).toBeGreaterThan(0)
    const isUsed = (name: string) =>
      source.includes(`id: '${name}'`) || source.includes(`readTemplate('${name}')`)
    expect(names.filter(name => !isUsed(name))).toEqual([])
  })

  test('of the stream are all used', () => {
    const names = filesBelow('sql/stream', '.sql').map(path =>
      path.replace('sql/stream/', '').replace('.sql', ''),
    )
    expect(names.filter(name => !source.includes(`readTemplate('${name}', 'stream')`))).toEqual([])
  })

  test('of generation are all used', () => {
    expect(filesBelow('sql/generate', '.sql').filter(path => !source.includes(`'${path}'`))).toEqual([])
  })

  test('never read the wall clock or the local time zone, nor take a folder name for a column', () => {
    const clocks =
      /\b(now|current_date|current_timestamp|today|localtime|localtimestamp|get_current_time\w*)\b/i
    for (const path of ['sql/endpoints', 'sql/stream'].flatMap(folder => filesBelow(folder, '.sql'))) {
      const sql = read(path).replaceAll(/--[^\n]*/g, '')
      expect(sql, path).not.toMatch(clocks)
      for (const [call] of sql.matchAll(/read_parquet\([^)]*\)/g))
        expect(call, path).toContain('hive_partitioning = false')
    }
  })
})

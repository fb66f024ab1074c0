import { Failure } from '../../../engine/failure.ts'
import { type Macro, macrosUsed } from '../../../engine/macros.ts'
import { resources } from '../../../engine/resources.ts'
import { canonicalFormat } from './canonical.ts'
import { FOLDER, type ImportFormat, isCanonicalKind, parseFormat } from './format.ts'

const isMacros = (name: string) => /^macros(-|\.)/.test(name)
const sqlFiles = (folder: string) =>
  resources.list(folder).flatMap(name => (name.endsWith('.sql') ? [`${folder}/${name}`] : []))
const nameOf = (path: string) => path.slice(FOLDER.length + 1)
const formatNames = () =>
  sqlFiles(FOLDER)
    .map(nameOf)
    .filter(name => !isMacros(name))
    .map(name => name.slice(0, -'.sql'.length))

let macros: readonly Macro[] | undefined

/** The macros that foreign formats share: those of `macros.sql`, then those of every `macros-….sql`. */
export function sharedMacros(): readonly Macro[] {
  macros ??= sqlFiles(FOLDER)
    .filter(path => isMacros(nameOf(path)))
    .toSorted((one, other) => one.length - other.length)
    .flatMap(path => resources.read(path).split(/;\s*$/m))
    .flatMap(sql => {
      const [, name] = /^CREATE OR REPLACE TEMP MACRO (\w+)/m.exec(sql) ?? []
      return name === undefined ? [] : [{ name, sql }]
    })
  return macros
}

/** The shared macros that a format calls, each after those that it calls. Defining all takes longer than a small import. */
export const macrosOf = ({ sql }: ImportFormat): readonly Macro[] => macrosUsed(sql, sharedMacros())

/**
 * The format of that name: a foreign one, or for files with a dataset's own columns a name such as `csv-option_trades`.
 * Throws Failure `usage` with the known names, and the failures of `canonicalFormat`.
 */
export function importFormat(name: string): ImportFormat {
  const [, kind = '', own = ''] = /^([a-z]+)-(.*)$/.exec(name) ?? []
  if (isCanonicalKind(kind)) return canonicalFormat(kind, own)
  const names = formatNames()
  if (!names.includes(name))
    throw new Failure('usage', `unknown format "${name}": use one of ${names.join(', ')}`)
  // A long format continues in the files of a folder of its name, in alphabetical order.
  const paths = [`${FOLDER}/${name}.sql`, ...sqlFiles(`${FOLDER}/${name}`)]
  return parseFormat(name, paths.map(path => resources.read(path)).join('\n'))
}

/** Every foreign format, by name. */
export const listFormats = () => formatNames().map(importFormat)

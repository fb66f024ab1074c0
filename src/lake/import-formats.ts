import { Failure } from '../engine/failure.ts'
import { resources } from '../engine/resources.ts'
import { canonicalFormat } from './import-canonical.ts'
import { FOLDER, type ImportFormat, isKind, parseFormat } from './import-format.ts'

const formatNames = () =>
  resources
    .list(FOLDER)
    .filter(name => name.endsWith('.sql'))
    .map(name => name.slice(0, -'.sql'.length))

/**
 * The format of that name: a foreign one, or `csv-option_trades` and the like for files that have a dataset's own
 * columns. Throws Failure `usage` with the names there are, and what `canonicalFormat` throws.
 */
export function importFormat(name: string): ImportFormat {
  const [, kind = '', own = ''] = /^([a-z]+)-(.*)$/.exec(name) ?? []
  if (isKind(kind)) return canonicalFormat(kind, own)
  const names = formatNames()
  if (!names.includes(name))
    throw new Failure('usage', `there is no import format "${name}": use one of ${names.join(', ')}`)
  return parseFormat(name, resources.read(`${FOLDER}/${name}.sql`))
}

/** Every format, by name. */
export const listFormats = () => formatNames().map(importFormat)

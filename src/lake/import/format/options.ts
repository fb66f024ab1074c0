import { Failure } from '../../../engine/failure.ts'
import type { ImportFormat } from './format.ts'

/** Throws Failure `usage` for an option that the format does not have. */
export function checkOptions(format: ImportFormat, options: Readonly<Record<string, string>>) {
  const names = format.options.map(({ name }) => name)
  const strange = Object.keys(options).find(name => !names.includes(name))
  if (strange !== undefined)
    throw new Failure(
      'usage',
      `${format.name} has no option --${strange}: ${names.length === 0 ? 'it has no options' : `it has ${names.map(name => `--${name}`).join(', ')}`}`,
    )
  return options
}

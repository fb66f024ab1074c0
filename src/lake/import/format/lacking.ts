import type { Source } from './format.ts'

/** What a file lacks of a source: a required raw column, or all alternatives of a need. */
export interface Lacking {
  /** The raw columns: `volume`, or `time or date, ms_since_midnight_et`. */
  readonly name: string
  /** The names that are accepted in a file: `volume (or vol)`. */
  readonly accepted: string
}

/** What a source requires of a file that the file lacks, in which `isFound` finds raw columns. */
export function lackingOf(
  { columns, needs }: Pick<Source, 'columns' | 'needs'>,
  isFound: (name: string) => boolean,
): Lacking[] {
  const required = columns.filter(column => column.required && !isFound(column.name))
  const unmet = needs.filter(alternatives => !alternatives.some(each => each.every(isFound)))
  const namesIn = (wanted: string) =>
    columns.flatMap(({ name, accepted }) => (name === wanted ? [acceptedNames(accepted)] : []))
  return [
    ...required.map(({ name, accepted }) => ({ name, accepted: acceptedNames(accepted) })),
    ...unmet.map(alternatives => ({
      name: alternatives.map(each => each.join(', ')).join(' or '),
      accepted: alternatives.map(each => each.flatMap(namesIn).join(' and ')).join(', or '),
    })),
  ]
}

const acceptedNames = ([name = '', ...others]: readonly string[]) =>
  others.length === 0 ? name : `${name} (or ${others.join(', ')})`

import { listFormats } from '../import/format/formats.ts'
import { dataset } from '../store/datasets.ts'
import { derivations } from '../store/derivation.ts'

/** The format of saved responses. They show parts of datasets, so they are not what fills the gaps of a lake. */
const OF_RESPONSES = 'answers'

let formats: ReadonlyMap<string, readonly string[]> | undefined

/** The names of the import formats by dataset, the one of the dataset's own name first. */
function formatsBy(): ReadonlyMap<string, readonly string[]> {
  formats ??= new Map(
    [...new Set(listFormats().flatMap(({ mappings }) => mappings.map(each => each.dataset.name)))].map(
      name => [
        name,
        listFormats()
          .filter(each => each.name !== OF_RESPONSES)
          .filter(({ mappings }) => mappings.some(each => each.dataset.name === name))
          .map(format => format.name)
          .toSorted((one, other) => Number(isNamesake(other, name)) - Number(isNamesake(one, name))),
      ],
    ),
  )
  return formats
}

/** Whether a format, such as `option-chain`, is named after a dataset, such as `option_chain_days`. */
const isNamesake = (format: string, name: string) => name.replaceAll('_', '-').startsWith(format)

/**
 * Whether the lake has a dataset, or what its days are derived from: a derived dataset that no row resulted in is
 * complete without rows.
 */
export function isFilled(name: string, held: ReadonlySet<string>): boolean {
  return held.has(name) || (derivations().get(name)?.days ?? []).some(each => isFilled(each.name, held))
}

/**
 * The import formats that fill a dataset; those of the datasets that its days come from, if it is derived. Throws an
 * Error if there is no such dataset.
 */
export function formatsFor(name: string): string[] {
  const derivation = derivations().get(name)
  const found = derivation
    ? derivation.days.flatMap(each => formatsFor(each.name))
    : (formatsBy().get(name) ?? [`csv ${dataset(name).name}`])
  return [...new Set(found)]
}

import { Failure } from '../../../engine/failure.ts'
import { guess } from '../../../engine/nearest-name.ts'
import { datasets } from '../../store/datasets.ts'
import { derivations } from '../../store/derivation.ts'
import type { CanonicalKind, ImportFormat } from './format.ts'
import { mappingSql } from './values.ts'

/** Names of the datasets that files may be imported into: those that are not derived from others. */
export const importable = (): string[] => [...datasets().keys()].filter(name => !derivations().has(name))

/**
 * The format of files of that kind with a dataset's own columns. Throws Failure: `usage` for an unknown dataset, with
 * the nearest name; `input_refused` for a derived dataset, with the datasets to import instead.
 */
export function canonicalFormat(kind: CanonicalKind, name: string): ImportFormat {
  const dataset = datasets().get(name)
  if (dataset === undefined)
    throw new Failure(
      'usage',
      `unknown dataset ${JSON.stringify(name)}${guess(name, importable()) || '.'} Datasets: ${importable().join(', ')}`,
    )
  const derivation = derivations().get(name)
  if (derivation !== undefined)
    throw new Failure(
      'input_refused',
      `${name} is derived from other datasets: import ${derivation.days.map(each => each.name).join(' or ')} instead`,
    )
  const sql = mappingSql(dataset.columns, () => false)
  return {
    name: `${kind}-${name}`,
    summary: `${kind} with the columns of ${name}`,
    canonical: dataset,
    addresses: [],
    expects: [],
    rejects: [],
    keeps: [],
    examples: [],
    options: [],
    reads: [],
    isAlone: true,
    sources: [
      {
        name: 'raw',
        kinds: [kind],
        columns: dataset.columns.map(column => ({
          name: column.name,
          required: !column.nullable,
          accepted: [column.name],
          meaning: '',
        })),
        verbatim: new Set(dataset.columns.filter(({ type }) => type === 'VARCHAR').map(each => each.name)),
        hasHeader: true,
        isWindows1252: false,
        needs: [],
        begins: null,
        has: [],
        refuses: null,
        roots: [],
        members: [],
        repeated: new Set(),
      },
    ],
    steps: [],
    values: [],
    mappings: [{ dataset, sql }],
    sql,
  }
}

import { readTemplate } from '../../engine/template.ts'
import type { Selection, Snapshot } from '../../lake/store/snapshot.ts'
import { joined } from '../fields/notation.ts'
import { freeText, inPath } from '../parameters/kinds.ts'
import type { Parameter } from '../parameters/parameter.ts'
import { shown } from '../parameters/problem.ts'
import { heldValue } from './example.ts'
import { unknownBecause } from './lacking.ts'
import type { Ask, Plan } from './operation.ts'
import { InvalidRequest } from './validate.ts'

/** The institution in a path: its Central Index Key (CIK), or a name that is looked up in the data. */

const text = freeText({
  description:
    'The institution: its CIK (digits, leading zeros ignored), or its name in any case. A name that is not the whole name of an institution can be a part of exactly one name; if it is a part of several, the answer is a 422 that lists up to 5 of them with their CIKs.',
  example: '1067983',
  charactersMax: 200,
})

/** What the parameter compares with. */
export const institutionNameLookup = joined(
  'name',
  'string',
  'institutions.name institutions.cik institution_totals.institution_name institution_totals.cik institution_positions.cik',
  'a CIK, leading zeros ignored; else the whole name in any case; else a part of exactly one name; a name is that of `institutions`, else as filed',
)

/** A CIK as the lake writes it, without leading zeros; null if the text is not a CIK. */
export const cikIn = (name: string | null): string | null =>
  name !== null && /^\d+$/.test(name) ? name.replace(/^0+(?=\d)/, '') : null

/** `name` in the path, a CIK or a name; `settleName` replaces a name by its CIK. */
export const institutionName: Parameter<string> = inPath({
  ...text,
  parse: texts => {
    const parsed = text.parse(texts)
    return 'problems' in parsed ? parsed : { value: cikIn(parsed.value) ?? parsed.value }
  },
})

/**
 * The datasets to read for one institution's positions. Until its name is settled these are the positions of all
 * institutions and their names, because the validator has to depend on everything that can matter.
 */
export function readsOf(name: string, { keys, ...days }: Selection): Plan['reads'] {
  const cik = cikIn(name)
  return cik === null
    ? { institution_positions: days }
    : {
        institution_positions: { ...days, keys: { ...keys, cik: [cik] } },
        institution_totals: null,
        institutions: null,
      }
}

const template = readTemplate('institution-holdings-name')

/** Replaces a name by the CIK of the one institution that matches it. Throws InvalidRequest if none or several do. */
export async function settleName<V extends { readonly name: string }>(
  values: V,
  ask: Ask,
  snapshot: Snapshot,
): Promise<V> {
  if (cikIn(values.name) !== null) return values
  const table = await ask(template)
  const rows = Array.from({ length: table.numRows }, (_, row) => ({
    cik: String(table.getChild('cik')?.get(row)),
    name: String(table.getChild('name')?.get(row)),
    fitting: Number(table.getChild('fitting')?.get(row)),
  }))
  const [first] = rows
  if (first === undefined) {
    const held =
      heldValue(snapshot, 'institution_totals', 'cik') ?? heldValue(snapshot, 'institutions', 'cik')
    const problem = unknownBecause(snapshot, 'institution_totals', 'which matches no institution')
    throw refusal(values.name, problem, held ?? text.example)
  }
  if (first.fitting === 1) return { ...values, name: first.cik }
  const listed = rows.map(({ name, cik }) => `${name} (CIK ${cik})`)
  const more = first.fitting > rows.length ? ` and ${first.fitting - rows.length} more` : ''
  throw refusal(
    values.name,
    `which matches ${first.fitting} institutions: ${listed.join(', ')}${more}`,
    first.cik,
  )
}

const refusal = (name: string, problem: string, example: string) =>
  new InvalidRequest([
    { in: 'path', name: 'name', problem: `is ${shown(name)}, ${problem}`, example: `name=${example}` },
  ])

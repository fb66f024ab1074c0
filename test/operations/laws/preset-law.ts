import type { Base } from './bases.ts'
import { filterTexts } from './candidates.ts'
import { Exact } from './exact.ts'
import { filtersOf } from './filter-laws.ts'
import { asked, broken, type Draw, type Law, outcomeOf, same } from './law.ts'
import { kindOf } from './parameter-kinds.ts'

/** The conditions of the preset `unusual`, by the specification: the filters that make each and those that lift it. */
const UNUSUAL: Readonly<
  Record<string, readonly (readonly [Readonly<Record<string, readonly string[]>>, string])[]>
> = {
  'screener-option-contracts': [
    [{ vol_greater_oi: ['true'] }, 'vol_greater_oi'],
    [{ is_otm: ['true'] }, 'is_otm'],
    [{ max_dte: ['60'] }, 'min_dte max_dte'],
    [{ min_ask_perc: ['0.5'] }, 'min_ask_perc max_ask_perc'],
    [{ min_premium: ['10000'] }, 'min_premium max_premium'],
    [{ 'issue_types[]': ['ADR', 'Common Stock', 'ETF'] }, 'issue_types[]'],
  ],
  'flow-alerts': [
    [{ vol_greater_oi: ['true'] }, 'vol_greater_oi'],
    [{ size_greater_oi: ['true'] }, 'size_greater_oi'],
    [{ all_opening: ['true'] }, 'all_opening'],
    [{ is_otm: ['true'] }, 'is_otm'],
    [{ is_multi_leg: ['false'] }, 'is_multi_leg'],
    [{ max_dte: ['60'] }, 'min_dte max_dte'],
    [{ min_ask_perc: ['0.5'] }, 'min_ask_perc max_ask_perc'],
    [{ min_premium: ['10000'] }, 'min_premium max_premium'],
    [{ min_size: ['5'] }, 'min_size max_size'],
    [{ 'issue_types[]': ['ADR', 'Common Stock', 'ETF'] }, 'issue_types[]'],
  ],
}

/** Of several random values the one that keeps most, so that records remain that a replaced condition would exclude. */
function loosest(base: Base, name: string, draw: Draw): readonly string[] {
  const texts = filterTexts(base, name)
  const [first = [], ...others] = Array.from({ length: 4 }, () => draw(texts))
  if (kindOf(base.operation, name) !== 'bound') return first
  const ascending = [first, ...others].toSorted(([one = ''], [other = '']) =>
    new Exact(one).comparedTo(other),
  )
  return ascending.at(name.startsWith('min_') ? 0 : -1) ?? first
}

export const presetLaw: Law = {
  name: 'preset',
  what: 'unusual is its conditions, and a filter of one of them replaces that one',
  // Few records have all that the preset wants: cases that divide them are a matter of luck.
  divides: false,
  subjects: operation => ('unusual' in operation.parameters ? ['unusual', ...filtersOf(operation)] : []),
  check: async (base, name, draw) => {
    const filter = name === 'unusual' ? {} : { [name]: loosest(base, name, draw) }
    const kept = (UNUSUAL[base.operation.id] ?? []).filter(
      ([, replacing]) => !replacing.split(' ').includes(name),
    )
    const conditions = Object.assign({}, ...kept.map(([each]) => each))
    // A filter of the base would replace a condition too.
    if (kept.some(([, replacing]) => replacing.split(' ').some(own => own in base.question))) return 'trivial'
    const [preset, written] = [
      await asked(base, { unusual: 'true', ...filter }),
      await asked(base, { ...conditions, ...filter }),
    ]
    if (!same(preset.texts, written.texts))
      throw broken('the preset', base, { unusual: ['true'], ...filter }, preset.texts, written.texts)
    const off = await asked(base, { unusual: 'false', ...filter })
    const without = await asked(base, filter)
    if (!same(off.texts, without.texts))
      throw broken('unusual=false filters nothing', base, filter, off.texts, without.texts)
    return outcomeOf(preset.texts.length, base.whole.texts.length)
  },
}

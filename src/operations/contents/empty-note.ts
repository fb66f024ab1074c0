import { formatsFor } from '../../lake/contents/fill.ts'
import { derivations } from '../../lake/store/derivation.ts'
import type { Pinned } from '../answering/answer.ts'
import { type EmptyReason, rowsFrom } from '../answering/empty.ts'
import { tickersOf } from '../answering/known-tickers.ts'

/** Why an answer has no rows and what to do next, in one line without a period. */
export function emptyNote(pinned: Pinned, reason: EmptyReason): string {
  const { snapshot, values } = pinned
  const dataset = rowsFrom(pinned)
  const [first, last] = [snapshot.firstDate(dataset), snapshot.lastDate(dataset)]
  const imports = `import data with tapehouse import ${formatsFor(dataset).join(' or ')}`
  const held = `${dataset} has ${first === last ? first : `${first} to ${last}`}`
  const derivation = derivations().get(dataset)
  const whyNone = () => {
    if (derivation === undefined) return imports
    // A derived dataset that no row resulted in has a partition without rows.
    if (!snapshot.datasets.includes(dataset)) return `derive it with tapehouse derive ${dataset}`
    return `it is derived, and none results from ${derivation.days.map(({ name }) => name).join(' and ')}`
  }
  const notes: Readonly<Record<EmptyReason, () => string>> = {
    dataset_missing: () => `the lake has no ${dataset}: ${imports}`,
    unknown_ticker: () =>
      `neither ${dataset} nor tickers has ${tickersOf(values).slice(0, 5).join(', ')}: check the spelling, or ${imports}`,
    no_session: () => `the exchange is closed on ${values.date}: choose a trading day, ${held}`,
    outside_lake: () => `${held}: choose a date in between, or ${imports}`,
    no_match: () =>
      first === null
        ? `${dataset} has no rows: ${whyNone()}`
        : `no row of ${dataset} matches: relax the filters or choose another date, ${held}`,
  }
  return `the answer is empty (${reason}): ${notes[reason]()}`
}

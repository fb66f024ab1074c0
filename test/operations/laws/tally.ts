import { table } from '../../prove/report.ts'
import type { Law, Outcome } from './law.ts'

/** What a law was tried on: a law, an operation and a filter, a sort name or another part of it. */
export interface Subject {
  readonly law: Law
  readonly operation: string
  readonly name: string
}

type Counts = Record<Outcome, number>

/** How often each law was tried on each subject, and what came of it. */
export interface Tally {
  count(subject: Subject, outcome: Outcome): void
  /** Subjects that had no case with records to try it on, as `law operation name`. */
  untried(subjects: readonly Subject[]): string[]
  /** A line per law: its subjects, its cases, those with records, those whose filter kept some and not all, and the subjects
   * that had such a case. */
  table(): string
}

export const labelOf = ({ law, operation, name }: Subject) => `${law.name} ${operation} ${name}`

export function openTally(): Tally {
  const bySubject = new Map<string, { law: Law; counts: Counts }>()
  return {
    count(subject, outcome) {
      const label = labelOf(subject)
      const entry = bySubject.get(label) ?? { law: subject.law, counts: { splits: 0, holds: 0, trivial: 0 } }
      entry.counts[outcome] += 1
      bySubject.set(label, entry)
    },
    untried: subjects =>
      subjects.map(labelOf).filter(label => {
        const counts = bySubject.get(label)?.counts
        return counts === undefined || counts.splits + counts.holds === 0
      }),
    table() {
      const laws = [...new Set([...bySubject.values()].map(({ law }) => law))]
      const rows = laws.map(law => {
        const own = [...bySubject.values()].filter(entry => entry.law === law).map(({ counts }) => counts)
        const sum = (value: (counts: Counts) => number) =>
          String(own.reduce((all, each) => all + value(each), 0))
        return [
          law.name,
          String(own.length),
          sum(({ splits, holds, trivial }) => splits + holds + trivial),
          sum(({ splits, holds }) => splits + holds),
          sum(({ splits }) => splits),
          sum(({ splits }) => Number(splits > 0)),
          law.what,
        ]
      })
      return table([
        ['law', 'subjects', 'cases', 'with records', 'dividing', 'subjects divided', 'what holds'],
        ...rows,
      ])
    },
  }
}

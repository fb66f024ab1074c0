import { dataset } from '../../../src/lake/store/datasets.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { type Exceptions, exceptionsOf } from './exceptions.ts'
import { type GoldenRequest, goldenRequests, shownBy, withValues } from './golden-requests.ts'
import { type Lineage, lineageOf } from './lineage.ts'
import { perturbationsOf } from './perturbations.ts'
import type { Change, PerturbedLake } from './perturbed-lake.ts'
import { hasAsManyRecords, movedFields, recordsOf, type Shown } from './shown.ts'

/** A golden request with its answer before anything changes. */
export interface Answered {
  readonly request: GoldenRequest
  readonly lake: PerturbedLake
  readonly before: Shown
  /** What moves, by the changes: several claims ask about the same ones. */
  readonly moved: Map<string, Promise<ReadonlySet<string> | null>>
}

/** An operation whose lineage is proved. */
export interface Subject {
  readonly operation: Operation
  readonly lineage: Lineage
  readonly exceptions: Exceptions
  readonly answered: readonly Answered[]
  readonly problems: Set<string>
  /** The number of answers that were compared. */
  compared: number
}

/** Answers all golden requests of an operation. Requests that are rejected are dropped. */
export async function subjectOf(
  operation: Operation,
  lakeOf: (source: string) => Promise<PerturbedLake>,
): Promise<Subject> {
  const lineage = lineageOf(operation)
  const answered: Answered[] = []
  for (const request of goldenRequests(operation, lineage)) {
    const lake = await lakeOf(request.lake)
    const before = await shownBy(operation, lineage, request, lake.snapshot, lake.engine)
    if (before !== null) answered.push({ request, lake, before, moved: new Map() })
  }
  const exceptions = exceptionsOf(operation.id)
  return { operation, lineage, exceptions, answered, problems: new Set(), compared: 0 }
}

/** Every change of a column, those that keep the order of its values first. */
export const changesOf = (name: string, column: Parameters<typeof perturbationsOf>[0]): Change[] =>
  perturbationsOf(column).map(perturbation => ({ dataset: name, column: column.name, perturbation }))

export const referenceOf = ({ dataset: name, column }: Change) => `${name}.${column}`

/**
 * The fields that differ once columns change, all of them where the request is rejected; null if no value changes, or
 * if the request does not follow the change.
 */
export async function movedBy(
  subject: Subject,
  answered: Answered,
  changes: readonly Change[],
  following = answered.request,
): Promise<ReadonlySet<string> | null> {
  const { request, moved } = answered
  if (following === request) {
    const key = changes.map(change => `${referenceOf(change)} ${change.perturbation.name}`).join()
    const known = moved.get(key) ?? movedOnce(subject, answered, changes, following)
    moved.set(key, known)
    return known
  }
  return movedOnce(subject, answered, changes, following)
}

async function movedOnce(
  subject: Subject,
  { lake, before, request }: Answered,
  changes: readonly Change[],
  following: GoldenRequest,
): Promise<ReadonlySet<string> | null> {
  const snapshot = await lake.changed(changes)
  if (snapshot === null) return null
  subject.compared += 1
  const after = shownBy(subject.operation, subject.lineage, following, snapshot, lake.engine)
  if (following !== request) {
    // A value that the template cannot read is none that a request could name.
    const shown = await after.catch(() => null)
    return shown !== null && hasAsManyRecords(before, shown) ? movedFields(before, shown) : null
  }
  const shown = await after
  return shown === null ? new Set(before.keys()) : movedFields(before, shown)
}

/** A request, and the changes under which its answer keeps its records. */
export interface Trial {
  readonly answered: Answered
  readonly request: GoldenRequest
  readonly changes: readonly Change[]
}

/**
 * Requests that keep their records when a column changes: those that do not compare with it, and those that can follow
 * the change. A request follows it by naming the changed values. All columns that the parameter lists change with it,
 * so that they can still be joined.
 */
export function trialsOf({ operation, lineage, answered }: Subject, change: Change): Trial[] {
  const { followed } = change.perturbation
  const comparing = (request: GoldenRequest, references: readonly string[]) =>
    [...request.names].filter(name => references.some(own => lineage.parameters.get(name)?.includes(own)))
  const trials = answered.flatMap((each): Trial[] => {
    const { request } = each
    const names = comparing(request, [referenceOf(change)])
    if (names.length === 0) return [{ answered: each, request, changes: [change] }]
    const changes = changedAlike(change, new Set(names.flatMap(name => lineage.parameters.get(name) ?? [])))
    const others = comparing(request, changes.map(referenceOf)).filter(name => !names.includes(name))
    if (!followed || others.length > 0 || !names.every(name => isFree(operation, name))) return []
    const following = withValues(request, names, followed)
    return following ? [{ answered: each, request: following, changes }] : []
  })
  const chosen = new Set(representatives(trials.map(trial => trial.answered)))
  return trials.filter(trial => chosen.has(trial.answered))
}

/** Whether a parameter takes any value, not one of a few. Filters and sorts that are no parameters take none. */
function isFree({ parameters }: Operation, name: string): boolean {
  const parameter = parameters[name]
  return parameter !== undefined && !('enum' in parameter.schema)
}

/** The same change of those of the columns that are of the changed one's type. */
const changedAlike = ({ perturbation }: Change, references: ReadonlySet<string>): Change[] =>
  [...references].flatMap(reference => {
    const [name = '', own = ''] = reference.split('.')
    const column = dataset(name).columns.find(each => each.name === own)
    return (column ? changesOf(name, column) : []).filter(
      each => each.perturbation.name === perturbation.name,
    )
  })

/** Requests that together show all records, those of the most records first. */
export function representatives(answered: readonly Answered[]): Answered[] {
  const records = answered.map(each => ({
    each,
    own: recordsOf(each.before).map(record => `${each.request.lake} ${record}`),
  }))
  const seen = new Set<string>()
  return records
    .toSorted((one, other) => other.own.length - one.own.length)
    .filter(({ own }) => {
      const isNew = own.some(record => !seen.has(record))
      for (const record of own) seen.add(record)
      return isNew
    })
    .map(({ each }) => each)
}

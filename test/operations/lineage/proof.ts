import { dataset } from '../../../src/lake/store/datasets.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { isSelected, selectingColumns } from './exceptions.ts'
import { listedBy } from './lineage.ts'
import type { Change, PerturbedLake } from './perturbed-lake.ts'
import {
  type Answered,
  changesOf,
  movedBy,
  referenceOf,
  representatives,
  type Subject,
  subjectOf,
  trialsOf,
} from './trials.ts'

export interface Proof {
  /** A sentence per error, with the operation, the field or parameter, and the column. */
  readonly problems: ReadonlySet<string>
  readonly compared: number
}

/**
 * Changes all values of each column of each dataset that an operation reads, one column at a time, repeats its golden
 * requests, and compares what moves with its table of fields:
 *
 * - A field moves only with columns that it lists, and each column that it lists moves it in some golden request.
 * - Which records there are depends only on columns that a parameter of the request lists, and each column that a
 *   parameter lists changes the records of some golden request.
 */
export async function proveLineage(
  operation: Operation,
  lakeOf: (source: string) => Promise<PerturbedLake>,
): Promise<Proof> {
  const subject = await subjectOf(operation, lakeOf)
  reportUnknown(subject)
  const { fields, parameters } = subject.lineage
  const listed = new Set([
    ...[...fields.values(), ...parameters.values()].flat(),
    ...selectingColumns(subject.exceptions),
  ])
  for (const name of operation.datasets) {
    const columns = dataset(name).columns.map(column => changesOf(name, column))
    const isListed = (changes: readonly Change[]) => changes.some(change => listed.has(referenceOf(change)))
    const unlisted = columns.filter(changes => !isListed(changes))
    await proveUnlisted(
      subject,
      unlisted.flatMap(changes => changes.slice(0, 1)),
    )
    for (const changes of columns.filter(isListed)) await proveListed(subject, changes)
  }
  return subject
}

/** Columns that nothing lists move nothing. They change all at once; if something moves, each by itself. */
async function proveUnlisted(subject: Subject, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  for (const each of representatives(subject.answered)) {
    if (!(await movedBy(subject, each, changes))?.size) continue
    for (const change of changes)
      reportStrays(subject, change, each, (await movedBy(subject, each, [change])) ?? [])
  }
}

/** A column moves the fields and the parameters that list it, and nothing else. */
async function proveListed(subject: Subject, changes: readonly Change[]): Promise<void> {
  const [reference = ''] = changes.map(referenceOf)
  const listing = listedBy(subject.lineage, [reference])
  const seen = await proveFields(subject, reference, changes, listing)
  reportIdle(subject, reference, listing, seen.moved)
  if (selectingColumns(subject.exceptions).includes(reference) && !seen.isSelecting)
    report(
      subject,
      `the entry of ${reference} in lineage.json is not needed: remove it, because only fields that list the column move with it`,
    )
  for (const [parameter, from] of subject.lineage.looksAt)
    if (from.includes(reference)) await proveParameter(subject, parameter, reference, changes, listing)
}

interface Seen {
  /** The fields that moved while all that do not list the column stayed. */
  readonly moved: ReadonlySet<string>
  /** Whether some field moved that does not list the column. */
  readonly isSelecting: boolean
}

async function proveFields(
  subject: Subject,
  reference: string,
  changes: readonly Change[],
  listing: ReadonlySet<string>,
): Promise<Seen> {
  const { lineage, exceptions, answered } = subject
  const selects = selectingColumns(exceptions).includes(reference)
  const shown = new Set<string>()
  let isSelecting = false
  const look = (moved: ReadonlySet<string>) => {
    const isAlone = [...moved].every(path => listing.has(path))
    if (!isAlone) isSelecting = true
    if (isAlone || selects) for (const path of moved) shown.add(path)
  }
  const isDone = () => [...listing].every(path => shown.has(path)) && (isSelecting || !selects)

  for (const change of changes.filter(({ perturbation }) => perturbation.keepsOrder)) {
    for (const trial of trialsOf(subject, change)) {
      const moved = await movedBy(subject, trial.answered, trial.changes, trial.request)
      if (moved === null) continue
      const references = trial.changes.map(referenceOf)
      const expected = listedBy(lineage, references)
      const isFollowing = trial.request !== trial.answered.request
      const strays = [...moved].filter(
        path =>
          !expected.has(path) &&
          !(isFollowing && lineage.echoed.has(path)) &&
          !references.some(own => isSelected(exceptions, lineage, path, own)),
      )
      reportStrays(subject, change, trial.answered, strays)
      if (!isFollowing) look(moved)
      else if (strays.length === 0) for (const path of moved) shown.add(path)
    }
    if (isDone()) return { moved: shown, isSelecting }
  }
  // Other requests and changes count as far as all else stays.
  for (const change of changes)
    for (const each of answered) {
      look((await movedBy(subject, each, [change])) ?? new Set())
      if (isDone()) return { moved: shown, isSelecting }
    }
  return { moved: shown, isSelecting }
}

/** A parameter that lists a column selects or sorts records otherwise once the column changes. */
async function proveParameter(
  subject: Subject,
  parameter: string,
  reference: string,
  changes: readonly Change[],
  listing: ReadonlySet<string>,
): Promise<void> {
  const naming = subject.answered.filter(({ request }) => request.names.has(parameter))
  const isShown = async () => {
    for (const change of changes)
      for (const each of naming)
        for (const path of (await movedBy(subject, each, [change])) ?? []) if (!listing.has(path)) return true
    return false
  }
  reportUnproven(
    subject,
    `?${parameter}`,
    reference,
    await isShown(),
    `none of the ${naming.length} golden requests with it has other records when the column changes`,
  )
}

function report({ operation: { id }, problems }: Subject, problem: string) {
  problems.add(`${id}: ${problem}`)
}

/** Exceptions about columns that the operation does not read, or that nothing lists. */
function reportUnknown(subject: Subject) {
  const { operation, lineage, exceptions } = subject
  const columns = operation.datasets.flatMap(name =>
    dataset(name).columns.map(column => `${name}.${column.name}`),
  )
  const pairs = [
    ...[...lineage.fields].flatMap(([path, from]) => from.map(column => `${path} ${column}`)),
    ...[...lineage.looksAt].flatMap(([name, from]) => from.map(column => `?${name} ${column}`)),
  ]
  const unknown = [
    ...selectingColumns(exceptions).filter(column => !columns.includes(column)),
    ...Object.keys(exceptions.unproven ?? {}).filter(pair => !pairs.includes(pair)),
  ]
  for (const entry of unknown) report(subject, `"${entry}" in lineage.json is unknown: remove it`)
}

function reportStrays(subject: Subject, change: Change, { request }: Answered, paths: Iterable<string>) {
  for (const path of paths)
    report(
      subject,
      `${path} moves with ${referenceOf(change)} (${change.perturbation.name}), which it does not list: see ${request.address}`,
    )
}

function reportIdle(
  subject: Subject,
  reference: string,
  listing: ReadonlySet<string>,
  moved: ReadonlySet<string>,
) {
  for (const path of listing)
    reportUnproven(subject, path, reference, moved.has(path), 'it moves with it in no golden request')
}

function reportUnproven(subject: Subject, place: string, reference: string, isShown: boolean, how: string) {
  const isExcepted = subject.exceptions.unproven?.[`${place} ${reference}`] !== undefined
  if (!isShown && !isExcepted) report(subject, `${place} lists ${reference}, but ${how}`)
  if (isShown && isExcepted)
    report(
      subject,
      `"${place} ${reference}" in lineage.json is not needed: remove it, because a request shows it`,
    )
}

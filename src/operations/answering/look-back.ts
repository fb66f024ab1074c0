import type { Template } from '../../engine/template.ts'
import type { Selection, Snapshot } from '../../lake/store/snapshot.ts'
import type { Ask, Plan } from './operation.ts'

/**
 * Answers that are found in the last days of a dataset as a rule: those days are read first, and all of its history only
 * where they do not suffice, so that the work grows with the answer and not with the history.
 */

/** Marks values for which the last days do not suffice. */
const FAR = Symbol('far')

/** Whether all of the history has to be read. */
export const looksFar = (values: object): boolean => FAR in values

/** An operation's `settle`: the last days suffice if the template makes `enough` rows of them. */
export function settleLookBack<V extends object>(template: () => Template, enough: (values: V) => number) {
  return async (values: V, ask: Ask): Promise<V> => {
    const { numRows } = await ask(template())
    return numRows >= enough(values) ? values : { ...values, [FAR]: true }
  }
}

/**
 * Which part of a dataset to read: from day `from` on, or all of `history`. `resolved` tells of all of it, because the
 * answer depends on all of it whichever part is read.
 */
export function lookBack(
  values: object,
  snapshot: Snapshot,
  dataset: string,
  history: Selection,
  from: string | null,
): Pick<Plan, 'resolved'> & { readonly selection: Selection } {
  return {
    selection: from === null || looksFar(values) ? history : { ...history, from },
    resolved: snapshot.files(dataset, history).map(({ sha256 }) => sha256),
  }
}

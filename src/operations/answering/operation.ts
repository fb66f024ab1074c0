import type { TSchema } from 'typebox'
import type { Bindings } from '../../engine/bind.ts'
import type { Encoded } from '../../engine/encode/encoded.ts'
import type { Position } from '../../engine/encode/page.ts'
import type { DigitsShown, Envelope } from '../../engine/encode/sql.ts'
import type { IsShared } from '../../engine/encode/turns.ts'
import type { Engine, Query } from '../../engine/engine.ts'
import type { Failure } from '../../engine/failure.ts'
import { readTemplate, type Template } from '../../engine/template.ts'
import type { Selection, Snapshot } from '../../lake/store/snapshot.ts'
import { datasetsOf, type OperationFields } from '../fields/notation.ts'
import { digitsShown, responseSchema } from '../fields/response.ts'
import type { Order } from '../parameters/order.ts'
import type { Fault, Parameters, Values } from '../parameters/parameter.ts'
import type { Search } from './example.ts'
import type { Format } from './formats.ts'
import type { NewestFirst } from './newest-first.ts'
import { parseTemplateHead, type Subject } from './template-head.ts'

/** Who sends the request, where an answer depends on it. */
export interface Caller {
  /** Whose own records the caller sees, besides those that everybody sees. */
  readonly owner: string | null
  /** Sees the records of all owners. */
  readonly admin: boolean
}

/** What one request needs from one snapshot, computed before any query runs. */
export interface Plan {
  /** Which part of each dataset the template reads; null: none of its rows. Default of a dataset: all of it. */
  readonly reads: Readonly<Record<string, Selection | null>>
  /** The day that the answer is of, requested or default, for the header X-Tapehouse-Date; the last one of a window. */
  readonly date?: string | null
  /** Values of template parameters, besides those that parameters of the request bind themselves. */
  readonly bindings?: Bindings
  /** For answers of the newest rows out of a long history: which part of a dataset to read first. */
  readonly newest?: NewestFirst
  /** For answers of records in order of a time, newest first: how `older_than` continues them. */
  readonly timePages?: TimePages
  /** What rows are sorted by, where the client chooses. */
  readonly order?: Order
  /** JSON text around the rows. Default: `{"data":[` and `]}`. */
  readonly envelope?: Envelope
  /** What else the answer depends on. Two requests with equal plans have equal answers. */
  readonly resolved?: unknown
}

/** Is called with the length of what is made of an answer so far. Throws if it is too long. */
export type Fits = (bytes: number) => void

/** The answer that is wanted of a shape. */
export interface Wanted {
  readonly format: Format
  readonly fits: Fits
  /** While it says so, long calculations rest between their turns. */
  readonly isShared: IsShared
}

/** An answer whose final form is not made by SQL alone: the JSON text, or a query that returns the same as rows. */
export interface Shaped {
  /** The whole text. Without rows the answer is empty. */
  readonly json: () => Promise<Encoded>
  readonly rows: () => Promise<Query>
}

/**
 * How an answer that may be larger than memory is sent one page at a time. Its order is total. The template takes
 * `$limit`, and the rows that a page begins after and ends with, each as some of its columns, which are never null.
 */
export interface Pages {
  /** Rows per page. They are in memory at once. */
  readonly size: number
  /** Parameters for the last row before the page, each with its column. The page begins strictly after it. */
  readonly after: Readonly<Record<string, string>>
  /** Parameters for the page's last row, so that the template reads no row of a later page. */
  readonly until: Readonly<Record<string, string>>
}

/** Records in descending order of a time, which `older_than` bounds. */
export interface TimePages {
  /** The column of the time, which is never null. */
  readonly column: string
  /** Where `older_than` begins within records of one time; null if it does not. */
  readonly after: Position | null
  /** The exclusive lower bound of the answer, in microseconds, if the request does not name it as `newer_than`. */
  readonly since?: bigint | null
}

/** Runs another template of the operation, over the same files and with the same parameters. */
export type Ask = (template: Template) => Promise<import('apache-arrow').Table>

/**
 * An operation as its file in `catalog` defines it. The head of its template has the path, the subject and the text.
 */
export interface Definition<P extends Parameters> {
  /** Also the name of its file, its template and its folder of golden cases. */
  readonly id: string
  /** Markdown that follows the description of the template's head, for texts that are made of tables. */
  readonly details?: string
  /** The fields of the answer, and where each comes from. */
  readonly fields: OperationFields
  /** Where to find requests that a generated lake answers, best first. Empty: the path alone is such a request. */
  readonly examples: readonly Search[]
  readonly parameters: P
  /** The schema of the whole JSON answer, where the table of fields does not describe it. */
  readonly response?: TSchema
  /** Faults between parameters, each of which is valid by itself. Those that are not have no value. */
  readonly check?: (values: Partial<Values<P>>) => readonly Fault[]
  /** Valid texts of parameters whose examples do not fit every value of the others. */
  readonly fitting?: (values: Partial<Values<P>>) => Readonly<Record<string, string | undefined>>
  readonly plan: (values: Values<P>, snapshot: Snapshot, caller: Caller) => Plan
  /**
   * Replaces values that depend on data, such as a name by an id. Throws InvalidRequest where there is no such value.
   */
  readonly settle?: (values: Values<P>, ask: Ask, snapshot: Snapshot) => Promise<Values<P>>
  /**
   * For an answer of one object, `{"data": {…}}`, which is the template's one row: what to throw if there is none. Its
   * example is from the snapshot, if there is one.
   */
  readonly missing?: (values: Values<P>, snapshot?: Snapshot) => Failure
  /** For answers of unlimited length, without an envelope: `limit`, a parameter that may be null, counts rows over all pages. */
  readonly pages?: Pages
  /** For answers that are more than rows: runs the template itself and computes. */
  readonly shape?: (
    values: Values<P>,
    query: Query,
    engine: Engine,
    signal: AbortSignal,
    wanted: Wanted,
  ) => Promise<Shaped>
}

/** An operation of the API, as data: its route, validation, documentation and command are all made from it. */
export interface Operation<P extends Parameters = Parameters> extends Definition<P> {
  /** The method is always GET. Path parameters in braces, as in OpenAPI. */
  readonly path: string
  readonly subject: Subject
  /** Its title, a phrase without a period. */
  readonly summary: string
  /** Markdown. */
  readonly description: string
  readonly response: TSchema
  /** The datasets that its templates read, each a parameter of theirs. */
  readonly datasets: readonly string[]
  readonly digits: DigitsShown
}

/**
 * The operation of a definition and the head of its template. Keeps the types of the parameters inside and drops them
 * outside, where all operations are alike. What is made of the template and of the fields is made when it is first used:
 * an Error names the template if it is missing or its head is not complete.
 */
export function operation<P extends Parameters>(definition: Definition<P>): Operation {
  const { id, fields, details } = definition
  const file = `sql/endpoints/${id}.sql`
  const head = once(() => parseTemplateHead(id, file, templateText(id, file)))
  const response = once(() => definition.response ?? responseSchema(id, fields))
  const datasets = once(() => datasetsOf(fields))
  const digits = once(() => digitsShown(fields))
  const made = {
    get path() {
      return head().path
    },
    get subject() {
      return head().subject
    },
    get summary() {
      return head().title
    },
    get description() {
      const { description } = head()
      return details === undefined ? description : `${description}\n\n${details}`
    },
    get response() {
      return response()
    },
    get datasets() {
      return datasets()
    },
    get digits() {
      return digits()
    },
  }
  // The getters stay getters: `query` needs them of one operation.
  return Object.defineProperties(
    { ...definition },
    Object.getOwnPropertyDescriptors(made),
  ) as unknown as Operation
}

/** Keeps the result of `make`, which runs when it is first needed. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function templateText(id: string, file: string): string {
  try {
    return readTemplate(id).sql
  } catch (cause) {
    throw new Error(`${file} is missing: write the template of src/operations/catalog/${id}.ts`, { cause })
  }
}

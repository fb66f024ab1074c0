import { hash } from 'node:crypto'
import { type Bindings, type Bound, integer, literal } from '../../engine/bind.ts'
import type { Encoded } from '../../engine/encode/encoded.ts'
import type { IsShared } from '../../engine/encode/turns.ts'
import type { Engine, Query } from '../../engine/engine.ts'
import { readTemplate, type Template } from '../../engine/template.ts'
import type { LakeFile, Snapshot } from '../../lake/store/snapshot.ts'
import { offsetOf } from '../parameters/number.ts'
import { ordered } from '../parameters/order.ts'
import { contentDigest, templateDigest } from './digests.ts'
import type { Format } from './formats.ts'
import { fitsIn } from './length.ts'
import { bindersOf, boundDefaults } from './names.ts'
import { encodeNewest } from './newest-first.ts'
import type { Ask, Caller, Operation, Plan } from './operation.ts'
import { bindingsOfPage, pageOf } from './paging.ts'

type AllValues = Readonly<Record<string, unknown>>

/** One request on one snapshot: everything that its answer depends on, before any query runs. */
export interface Pinned {
  readonly operation: Operation
  readonly values: AllValues
  readonly snapshot: Snapshot
  readonly caller: Caller
  readonly plan: Plan
  /** The files of each dataset that remain after pruning. */
  readonly files: ReadonlyMap<string, readonly LakeFile[]>
}

/** Plans a request and prunes its datasets. Pure: runs no query and opens no file. */
export function pin(operation: Operation, values: AllValues, snapshot: Snapshot, caller: Caller): Pinned {
  const plan = operation.plan(values, snapshot, caller)
  const files = new Map(
    operation.datasets.map(dataset => {
      const selection = plan.reads[dataset]
      return [dataset, selection === null ? [] : snapshot.files(dataset, selection)]
    }),
  )
  return { operation, values, snapshot, caller, plan, files }
}

/** The values of a template's parameters, except the files: `$offset` from the page, `name[]` as `$name`. */
export const bindingsOf = (pinned: Pinned): Bindings => ({
  ...boundDefaults(pinned.operation.parameters),
  ...ownBindings(pinned),
})

/** The bindings that may differ from those of a request without parameters. */
function ownBindings({ operation, values, plan }: Pinned): Bindings {
  const own: Record<string, Bound> = {}
  for (const { name, variable, bind, absent } of bindersOf(operation.parameters))
    if (values[name] !== absent) own[variable] = bind(values[name])
  if (operation.parameters.page) own.offset = integer(offsetOf(operation, values))
  return { ...own, ...plan.bindings }
}

/**
 * A strong validator: a hash of everything that the bytes depend on, which is the contents of the files, the template,
 * the build, the resolved parameters, the format and the content coding. Quoted, as HTTP requires.
 */
export function entityTag(pinned: Pinned, format: Format, coding: string): string {
  const { operation, plan, files } = pinned
  const contents = [...files].map(([dataset, list]) => [dataset, contentDigest(list)])
  const bound = Object.entries(ownBindings(pinned)).map(([name, value]) => [name, literal(value)])
  const made = [
    templateDigest(operation.id, templateOf(pinned)),
    contents,
    [bound, plan.envelope, plan.resolved, plan.timePages?.after?.passed ?? 0],
    format,
    coding,
  ]
  return `"${hash('sha256', JSON.stringify(made), 'base64url').slice(0, 32)}"`
}

/** The template with the values of its parameters and its lists of files. For a page, `$limit` is one row more. */
export function queryOf(pinned: Pinned, engine: Engine): Query {
  const { operation, files } = pinned
  const lists = [...files].map(([dataset, list]) => [dataset, engine.bindFiles(dataset, list)])
  const page = pageOf(pinned)
  const paging = page === null ? {} : bindingsOfPage(page)
  return {
    operation: operation.id,
    template: templateOf(pinned),
    bindings: { ...bindingsOf(pinned), ...paging, ...Object.fromEntries(lists) },
    values: valuesOf(pinned),
    digits: operation.digits,
    ...(page === null ? {} : { page }),
  }
}

const openNames = new WeakMap<Operation, readonly string[]>()

/** The parameters with values of which there are many: not choices, truths and the like. */
function openNamesOf(operation: Operation): readonly string[] {
  const known = openNames.get(operation)
  if (known) return known
  const open = Object.entries(operation.parameters).filter(
    ([, { schema }]) => !('enum' in schema) && !('type' in schema && schema.type === 'boolean'),
  )
  const names = open.map(([name]) => name)
  openNames.set(operation, names)
  return names
}

/** The parameters of which requests have many values. The default is one that most of them share. */
const valuesOf = ({ operation, values }: Pinned): ReadonlySet<string> =>
  new Set(
    openNamesOf(operation)
      .filter(name => values[name] !== operation.parameters[name]?.absent)
      .map(name => name.replace('[]', '')),
  )

/** The request with the values that depend on data. Rejects with InvalidRequest if there are none. */
export async function settle(pinned: Pinned, engine: Engine, signal: AbortSignal): Promise<Pinned> {
  const { operation, values, snapshot, caller } = pinned
  if (operation.settle === undefined) return pinned
  const query = queryOf(pinned, engine)
  const ask: Ask = template => engine.table({ ...query, template }, signal)
  return pin(operation, await operation.settle(values, ask, snapshot), snapshot, caller)
}

export const LIST = ['{"data":[', ']}'] as const
const OBJECT = ['{"data":', '}'] as const

/** How an answer is made that is made as a whole. */
export interface Making {
  /** Its greatest length. Default: no limit. */
  readonly bytesMax?: number
  /** While it says so, long calculations rest between their turns. Default: they do not. */
  readonly isShared?: IsShared
}

/**
 * Runs a pinned request and returns the whole answer and its number of rows. Rejects with the signal's reason when it aborts,
 * with InvalidRequest if the answer is longer than `bytesMax`, with InvalidRequest or not_found if the data lack what is
 * requested.
 */
export async function answer(
  pinned: Pinned,
  engine: Engine,
  format: Format,
  signal: AbortSignal,
  { bytesMax = Number.POSITIVE_INFINITY, isShared = () => false }: Making = {},
): Promise<Encoded> {
  const settled = await settle(pinned, engine, signal)
  const { operation, values, plan } = settled
  const query = queryOf(settled, engine)
  const fits = fitsIn(operation, bytesMax)
  const fitting = (made: Encoded) => {
    fits(made.bytes.byteLength)
    return made
  }
  if (operation.shape) {
    const shaped = await operation.shape(values, query, engine, signal, { format, fits, isShared })
    return fitting(
      await (format === 'json' ? shaped.json() : engine.encode(await shaped.rows(), format, signal)),
    )
  }
  const enveloped = { ...query, envelope: operation.missing ? OBJECT : (plan.envelope ?? LIST) }
  const encoded = plan.newest
    ? await encodeNewest(plan.newest, enveloped, settled.files, engine, format, signal)
    : await engine.encode(enveloped, format, signal)
  if (operation.missing && encoded.rows === 0) throw operation.missing(values, settled.snapshot)
  return fitting(encoded)
}

const templates = new Map<string, Template>()

/** The operation's template in the sort order of the request. There are few: a client chooses among the sorts' names. */
function templateOf({ operation: { id }, plan: { order } }: Pinned): Template {
  const key = order === undefined ? id : `${id} ${order.column} ${order.descending}`
  const known = templates.get(key)
  if (known !== undefined) return known
  const template = readTemplate(id)
  const sorted = order === undefined ? template : { ...template, sql: ordered(template.sql, order) }
  templates.set(key, sorted)
  return sorted
}

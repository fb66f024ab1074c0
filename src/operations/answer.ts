import { createHash } from 'node:crypto'
import type { Engine, Query } from '../engine/engine.ts'
import { resources } from '../engine/resources.ts'
import { readTemplate } from '../engine/template.ts'
import type { LakeFile, Snapshot } from '../lake/snapshot.ts'
import type { Format } from './formats.ts'
import type { Operation, Plan } from './operation.ts'

/** One request, pinned to one snapshot: everything that its answer depends on, before any query runs. */
export interface Pinned {
  readonly operation: Operation
  readonly values: Readonly<Record<string, unknown>>
  readonly plan: Plan
  /** The files that pruning left of each dataset. */
  readonly files: ReadonlyMap<string, readonly LakeFile[]>
}

/** Plans a request and prunes its datasets. Pure: no query, no file is opened. */
export function pin(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  snapshot: Snapshot,
): Pinned {
  const plan = operation.plan(values, snapshot)
  const files = new Map(
    operation.datasets.map(dataset => {
      const selection = plan.reads[dataset]
      return [dataset, selection ? snapshot.files(dataset, selection) : []]
    }),
  )
  return { operation, values, plan, files }
}

/**
 * A strong validator, made of all that the bytes depend on: the files' contents, the template, the build, the
 * resolved parameters, the format and the content coding. Quoted, as HTTP wants it.
 */
export function entityTag(pinned: Pinned, format: Format, coding: string): string {
  const { operation, plan, files } = pinned
  const contents = [...files].map(([dataset, list]) => [dataset, list.map(({ sha256 }) => sha256)])
  const made = [
    operation.id,
    resources.build(),
    templateOf(operation).sql,
    contents,
    plan.resolved,
    format,
    coding,
  ]
  return `"${createHash('sha256').update(JSON.stringify(made)).digest('base64url').slice(0, 32)}"`
}

/** The template with its parameters and file lists, as it will run. */
export function queryOf({ operation, plan, files }: Pinned, engine: Engine): Query {
  const lists = [...files].map(([dataset, list]) => [
    dataset,
    engine.bindFiles(
      dataset,
      list.map(({ path }) => path),
    ),
  ])
  return {
    operation: operation.id,
    template: templateOf(operation),
    bindings: { ...plan.bindings, ...Object.fromEntries(lists) },
  }
}

/** Runs a pinned request and gives the whole answer's bytes. Rejects with the signal's reason when it aborts. */
export async function answer(
  pinned: Pinned,
  engine: Engine,
  format: Format,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { operation, values } = pinned
  const query = queryOf(pinned, engine)
  if (operation.shape) {
    const shaped = await operation.shape(values, query, engine, signal)
    return format === 'json' ? shaped.json() : engine.encode(shaped.rows(), format, signal)
  }
  const bytes = await engine.encode(query, format, signal)
  return format === 'json' ? Buffer.concat([Buffer.from('{"data":['), bytes, Buffer.from(']}')]) : bytes
}

const templates = new Map<string, ReturnType<typeof readTemplate>>()

function templateOf({ template }: Operation) {
  const known = templates.get(template) ?? readTemplate(template)
  templates.set(template, known)
  return known
}

import { literal } from '../../engine/bind.ts'
import { resources } from '../../engine/resources.ts'
import { type ImportedFile, importsBehind } from '../../lake/provenance/imports-behind.ts'
import { requireRecord } from '../../lake/store/record.ts'
import { bindingsOf, entityTag, type Pinned, pin } from '../answering/answer.ts'
import { type Input, validate } from '../answering/validate.ts'
import { formatCitation } from './citation.ts'
import { filesHash, templateNames, templatesHash } from './identity.ts'

/** Where an answer comes from. */
export interface Explanation {
  /** One line that `tapehouse query --cite` takes. */
  readonly citation: string
  readonly operation: string
  /** The parameters of the template as SQL literals, without the files. Null: without effect. */
  readonly parameters: Readonly<Record<string, string>>
  readonly snapshot: {
    readonly number: number
    readonly created_at: string
    /** The command that made it; null if it was not recorded. */
    readonly made_by: string | null
    readonly synthetic: boolean
    /** The day, `YYYY-MM-DD`, whose knowledge the answer is limited to; null: not limited. */
    readonly as_of: string | null
  }
  readonly build: string
  readonly template: { readonly files: readonly string[]; readonly hash: string }
  readonly answer: { readonly format: 'json'; readonly bytes: number; readonly sha256: string }
  readonly files: readonly {
    readonly name: string
    readonly rows: number
    readonly bytes: number
    readonly sha256: string
  }[]
  readonly imports: readonly ImportedFile[]
}

/** The bytes of a JSON answer, counted and hashed. */
export interface Digested {
  readonly bytes: number
  readonly sha256: string
}

/** Explains a settled request and its JSON answer. `input` is what the client sent. */
export async function explain(settled: Pinned, input: Input, answer: Digested): Promise<Explanation> {
  const { operation, snapshot, files } = settled
  const record = await requireRecord(snapshot.lake, snapshot.number)
  const build = resources.build()
  const template = templatesHash(operation)
  return {
    citation: formatCitation({
      operation,
      input: withDate(settled, input),
      snapshot: snapshot.number,
      asOf: snapshot.asOf ?? null,
      build,
      template,
      files: filesHash(settled),
      sha256: answer.sha256,
    }),
    operation: operation.id,
    parameters: Object.fromEntries(
      Object.entries(bindingsOf(settled)).map(([name, value]) => [name, literal(value)]),
    ),
    snapshot: {
      number: snapshot.number,
      created_at: record.created_at,
      made_by: record.made_by ?? null,
      synthetic: record.generated !== undefined,
      as_of: snapshot.asOf ?? null,
    },
    build,
    template: { files: templateNames(operation), hash: template },
    answer: { format: 'json', ...answer },
    files: [...files].flatMap(([, list]) =>
      list.map(({ name, rows, bytes, sha256 }) => ({ name, rows, bytes, sha256 })),
    ),
    imports: await importsBehind(snapshot.lake, record, files),
  }
}

/**
 * The input with the date that the request resolved to, if it had none: then a citation does not depend on how a later
 * version selects the default date. Unchanged if the answer could differ.
 */
function withDate(settled: Pinned, input: Input): Input {
  const { operation, snapshot, caller, plan } = settled
  const date = plan.bindings?.date?.value
  const isSent = input.query.some(([name, value]) => name === 'date' && value !== '')
  if (operation.parameters.date?.in !== 'query' || isSent || date === undefined || date === null) return input
  const dated: Input = { ...input, query: [...input.query, ['date', String(date)]] }
  const validated = validate(operation, dated)
  if ('faults' in validated) return input
  const values = { ...settled.values, date: validated.values.date }
  const tags = [settled, pin(operation, values, snapshot, caller)].map(each =>
    entityTag(each, 'json', 'identity'),
  )
  return tags[0] === tags[1] ? dated : input
}

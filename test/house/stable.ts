import Fastify from 'fastify'
import { Registry } from 'prom-client'
import type { TSchema } from 'typebox'
import { addDocumentation } from '../../src/api/http/documentation.ts'
import {
  measureCache,
  measureLake,
  measureProcess,
  measureScrub,
} from '../../src/api/metrics/measurements.ts'
import { countObservations } from '../../src/api/metrics/metrics.ts'
import { openApi } from '../../src/api/openapi/document.ts'
import { LAKE_PATH } from '../../src/api/openapi/lake.ts'
import { buildAdmin } from '../../src/api/process/admin.ts'
import { openCache } from '../../src/api/service/answer-cache.ts'
import { PROBLEMS } from '../../src/api/service/problem-codes.ts'
import { channelOf, SOCKET_PATH } from '../../src/api/socket/channels.ts'
import { ENCODINGS } from '../../src/api/socket/frames.ts'
import { flagOf, type Setting, variableOf } from '../../src/cli/command/setting.ts'
import { SETTINGS } from '../../src/cli/command/settings.ts'
import { commandNames, loadCommand } from '../../src/cli/commands.ts'
import { FAILURES } from '../../src/engine/failure.ts'
import { listFormats } from '../../src/lake/import/format/formats.ts'
import { datasets } from '../../src/lake/store/datasets.ts'
import { FORMAT, FORMER_FORMAT } from '../../src/lake/store/format.ts'
import { ENUMERATIONS } from '../../src/market/enumerations.ts'
import { FORMATS, formatNames } from '../../src/operations/answering/formats.ts'
import { LakeContents } from '../../src/operations/contents/contents.ts'
import { operations } from '../../src/operations/index.ts'
import { file_tapehouse } from '../../src/stream/tapehouse_pb.ts'
import { HEALTH } from '../api/process/health.ts'
import { typeOf } from '../stream/descriptors.ts'

/** Everything that docs/compatibility.md calls stable, as the code has it: one line for each thing, sorted. */
export async function stableLines(): Promise<string[]> {
  const lines = [
    ...(await routes()),
    ...operationLines(),
    ...responses(),
    ...stream(),
    ...(await commands()),
    ...settings(),
    ...lake(),
    ...importFormats(),
    ...(await metrics()),
  ]
  return [...new Set(lines)].toSorted()
}

/** A JSON schema, in as far as it is used here. */
type Schema = TSchema & {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly default?: unknown
}

/** Routes besides the operations. */
async function routes(): Promise<string[]> {
  const documented = Fastify()
  addDocumentation(documented)
  const { server: admin } = buildAdmin(HEALTH)
  const known = ['/api/docs', '/api/openapi.json', '/-/live', '/-/ready', '/-/metrics']
  const found = known.filter(url =>
    [documented, admin].some(server => server.hasRoute({ method: 'GET', url })),
  )
  await Promise.all([documented.close(), admin.close()])
  return [
    ...[...found, SOCKET_PATH, LAKE_PATH].map(url => `route GET ${url}`),
    ...fieldLines('field lake', '', LakeContents as Schema),
  ]
}

/** Routes, parameters and fields of the operations, as OpenAPI shows them to clients. */
function operationLines(): string[] {
  const { paths, components } = openApi(operations, '')
  const schemas: Readonly<Record<string, { readonly schema: unknown }>> = components.headers
  const schemaOf = (header: string) => schemas[header]?.schema as Schema
  return operations.flatMap(({ id, path, response }) => {
    const { parameters, responses: byStatus } = paths[path]?.get ?? { parameters: [], responses: null }
    const headers = Object.keys(byStatus?.[200].headers ?? {})
    return [
      `operation ${id} GET ${path}`,
      ...parameters.flatMap(parameter => parameterLines(id, parameter)),
      ...fieldLines(`field ${id}`, '', response as Schema),
      ...headers.flatMap(name => [
        `header ${name} ${typeText(schemaOf(name))}`,
        ...valueLines(`header ${name}`, schemaOf(name)),
      ]),
    ]
  })
}

type Described = { name: string; in: string; required: boolean; schema: unknown; explode?: boolean }

function parameterLines(id: string, { name, in: place, required, schema, explode }: Described): string[] {
  const whole = schema as Schema
  const one = explode ? (whole.items ?? whole) : whole
  const line = `parameter ${id} ${place} ${name}`
  return [
    `${line} ${required ? 'required' : 'optional'}${explode ? ' repeatable' : ''} ${typeText(one)}`,
    ...(whole.default === undefined ? [] : [`${line} default ${JSON.stringify(whole.default)}`]),
    ...valueLines(line, one),
  ]
}

/** Each field below a schema by its path: `data[].expiry`. */
function fieldLines(line: string, at: string, schema: Schema): string[] {
  const present = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
  const own = at === '' ? [] : [`${line} ${at} ${typeText(schema)}`, ...valueLines(`${line} ${at}`, present)]
  const inner = Object.entries(present.properties ?? {}).flatMap(([name, each]) =>
    fieldLines(line, at === '' ? name : `${at}.${name}`, each),
  )
  return [...own, ...inner, ...(present.items ? fieldLines(line, `${at}[]`, present.items) : [])]
}

function typeText({ type, format, anyOf }: Schema): string {
  if (anyOf) return anyOf.map(typeText).join(' or ')
  return `${type ?? 'any'}${format ? `(${format})` : ''}`
}

const valueLines = (line: string, schema: Schema) =>
  (schema.enum ?? []).map(value => `${line} value ${JSON.stringify(value)}`)

function responses(): string[] {
  return [
    ...formatNames.map(name => `media type ${FORMATS[name].mediaType} ${name}`),
    ...Object.entries(PROBLEMS).map(([code, { status }]) => `error response ${status} ${code}`),
    ...Object.entries(FAILURES).map(
      ([code, { status, exit }]) => `failure ${code} status ${status} exit ${exit}`,
    ),
  ]
}

/** Messages of the stream with the numbers of their fields, enumerations, and channels of the socket. */
function stream(): string[] {
  const names = [
    'chain_frags',
    'chain_frags:ACME',
    'option_trades',
    'option_trades:ACME',
    'flow_alerts',
    'flow-alerts',
  ]
  return [
    ...file_tapehouse.messages.flatMap(({ name, fields }) =>
      fields.map(field => `message ${name} ${field.number} ${field.name} ${typeOf(field)}`),
    ),
    ...Object.entries(ENUMERATIONS).flatMap(([name, { values }]) =>
      Object.entries(values).map(([value, number]) => `enumeration ${name} ${value} ${number}`),
    ),
    ...names.filter(name => !('problem' in channelOf(name))).map(name => `channel ${name}`),
    ...ENCODINGS.map(name => `subprotocol ${name}`),
  ]
}

async function commands(): Promise<string[]> {
  const loaded = await Promise.all(commandNames.map(loadCommand))
  return loaded.flatMap(({ name, flags, settings: used }) => [
    `command ${name}`,
    ...Object.entries(flags).map(([flag, { value, default: unset }]) =>
      [`flag ${name} --${flag}`, value ? 'with a value' : 'without a value', unset && `default ${unset}`]
        .filter(part => part)
        .join(' '),
    ),
    ...used.map(setting => `flag ${name} --${flagOf(setting)}`),
  ])
}

function settings(): string[] {
  return Object.entries<Setting>(SETTINGS).flatMap(([name, setting]) => {
    const line = `setting --${flagOf(name)} ${variableOf(name)}`
    return [
      `${line} ${setting.kind} default ${setting.default ?? 'none'}${setting.unit ? ` ${setting.unit}` : ''}`,
      ...(setting.kind === 'choice' ? setting.values.map(value => `${line} value ${value}`) : []),
    ]
  })
}

/** A lake is readable by a version with the same format and the same schemas, or with columns that were added later. */
function lake(): string[] {
  return [
    ...[FORMER_FORMAT, FORMAT].map(format => `lake format ${format}`),
    ...[...datasets().values()].flatMap(({ name, columns, key, versions }) => [
      ...[...versions.keys()].map(hash => `lake schema ${name} ${hash}`),
      `dataset ${name} key ${key.join(', ')}`,
      ...columns.map(column => `dataset ${name} column ${column.name} ${column.type}`),
    ]),
  ]
}

function importFormats(): string[] {
  return listFormats().flatMap(({ name, mappings, options }) => [
    ...mappings.map(({ dataset }) => `import format ${name} fills ${dataset.name}`),
    ...options.map(option => `import format ${name} --${option.name}`),
  ])
}

/** Names, types and labels of all metrics. */
async function metrics(): Promise<string[]> {
  const registry = new Registry()
  countObservations(registry, () => ({ running: 0, queued: 0 }))
  measureProcess(registry)
  measureCache(registry, openCache(1))
  measureScrub(registry, () => null)
  // Its metrics are listed, and not collected.
  measureLake(registry, {
    pin: () => Promise.reject(new Error('not collected')),
    newest: () => null,
    current: () => {
      throw new Error('not collected')
    },
  })
  const { server } = buildAdmin(HEALTH)
  const { body } = await server.inject('/-/metrics')
  await server.close()
  const ofWorkers = registry.getMetricsAsArray().map(metric => {
    const labels = 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames : []
    return `metric ${metric.name} ${['type' in metric ? metric.type : 'unknown', ...labels].map(String).join(' ')}`
  })
  const ofSupervisor = [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(
    ([, name = '', type]) => `metric ${name} ${type}`,
  )
  return [...ofWorkers, ...ofSupervisor]
}

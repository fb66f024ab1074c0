import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  create,
  createFileRegistry,
  type DescMessage,
  equals,
  fromBinary,
  type Message,
  toBinary,
} from '@bufbuild/protobuf'
import { reflect } from '@bufbuild/protobuf/reflect'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENUMERATIONS } from '../../src/market/enumerations.ts'
import { type Frame, FrameSchema, file_tapehouse } from '../../src/stream/tapehouse_pb.ts'
import { messageNamed } from './descriptors.ts'
import { type Plain, samplesOf } from './samples.ts'
import { buildGo, installed, placeProto, protoc, runPython, toGo } from './stream-tools.ts'

const PAYLOADS: Readonly<Record<string, string>> = {
  chain_frag: 'ChainFrag',
  option_trade: 'OptionTrade',
  flow_alert: 'FlowAlert',
  response: 'Response',
  heartbeat: 'Heartbeat',
}

/** A message with a list of each enumeration: no message that is sent holds one, but clients name values by them. */
const EVERY = `syntax = "proto3";
package tapehouse;
import "tapehouse.proto";
message Every {
${Object.keys(ENUMERATIONS)
  .map((name, index) => `  repeated ${name} ${fieldName(name)} = ${index + 1};`)
  .join('\n')}
}
`

function fieldName(enumeration: string): string {
  return enumeration
    .replaceAll('.', '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
}

const folder = mkdtempSync(join(tmpdir(), 'tapehouse-compilers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Read {
  readonly fields: Plain
  readonly bytes: string
}

/** What Python finds in messages, given by module and name. */
async function readByPython(messages: readonly [kind: string, bytes: Uint8Array][]): Promise<Read[]> {
  const lines = messages.map(([kind, bytes]) => `${kind} ${Buffer.from(bytes).toString('hex')}\n`)
  const file = join(folder, 'messages')
  writeFileSync(file, lines.join(''))
  const program = new URL('frames.py', import.meta.url).pathname
  return JSON.parse(await runPython([program, folder, file]))
}

/** A frame around a message, as its payload of that name. */
function framed(channel: string, payload: string, message: Message): Frame {
  const frame = create(FrameSchema, { channel })
  const field = FrameSchema.fields.find(({ name }) => name === payload)
  if (field?.fieldKind !== 'message') throw new Error(`Frame has no payload ${payload}`)
  const fields = reflect(FrameSchema, frame)
  fields.set(field, reflect(field.message, message))
  return frame
}

describe.skipIf(!installed)('the proto and the stream tools', () => {
  beforeAll(() => {
    placeProto(folder)
    writeFileSync(join(folder, 'every.proto'), EVERY)
  })

  test('protoc compiles it for Python without a warning, and reads in it what buf does', async () => {
    const set = join(folder, 'descriptors')
    const flags = [`--python_out=${folder}`, `--pyi_out=${folder}`, `--descriptor_set_out=${set}`]
    expect(await protoc(folder, ['tapehouse.proto', 'every.proto'], flags)).toBe('')
    const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(set))
    expect(file.find(({ name }) => name === 'tapehouse.proto')).toEqual(file_tapehouse.proto)
  })

  test('protoc compiles it for Go without a warning, and Go builds and vets that', async () => {
    const into = join(folder, 'go')
    mkdirSync(into)
    expect(await protoc(folder, ['tapehouse.proto'], toGo(into))).toBe('')
    expect(readFileSync(join(into, 'tapehouse.pb.go'), 'utf8')).toMatch(/^package stream$/m)
    await buildGo(into)
  })

  test.each(Object.entries(PAYLOADS))(
    'Python reads every field of a frame with a %s',
    async (payload, name) => {
      const schema: DescMessage = messageNamed(name)
      const samples = Object.entries(samplesOf(schema))
      const frames = samples.map(([how, { message }]) => framed(`channel:${how}`, payload, message))
      const found = await readByPython(
        frames.map(frame => ['tapehouse_pb2 Frame', toBinary(FrameSchema, frame)] as [string, Uint8Array]),
      )
      const none = Object.fromEntries(Object.keys(PAYLOADS).map(each => [each, null]))
      for (const [index, [how, { plain }]] of samples.entries()) {
        expect(found[index]?.fields, how).toEqual({ ...none, channel: `channel:${how}`, [payload]: plain })
        const back = fromBinary(FrameSchema, Buffer.from(found[index]?.bytes ?? '', 'hex'))
        expect(equals(FrameSchema, back, frames[index] as Frame), how).toBe(true)
      }
    },
  )

  test('Python reads every value of every enumeration by its name', async () => {
    const set = join(folder, 'every-descriptors')
    const flags = ['--include_imports', `--descriptor_set_out=${set}`]
    await protoc(folder, ['every.proto'], flags)
    const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(set)))
    const schema = registry.getMessage('tapehouse.Every')
    if (!schema) throw new Error('protoc has no message Every')
    const every = create(schema)
    const fields = reflect(schema, every)
    for (const [name, { values }] of Object.entries(ENUMERATIONS)) {
      const field = schema.fields.find(each => each.name === fieldName(name))
      if (field?.fieldKind !== 'list') throw new Error(`Every has no list ${fieldName(name)}`)
      const list = fields.get(field)
      for (const number of Object.values(values)) list.add(number)
    }
    const [found] = await readByPython([['every_pb2 Every', toBinary(schema, every)]])
    const expected = Object.entries(ENUMERATIONS).map(([name, { values, prefix = '' }]) => [
      fieldName(name),
      Object.keys(values).map(value => `${prefix}${value}`),
    ])
    expect(found?.fields).toEqual(Object.fromEntries(expected))
  })
})

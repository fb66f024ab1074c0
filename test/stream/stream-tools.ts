import { execFile } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** What `.ci/stream-tools` has installed: the reference protoc, Python's protobuf runtime, Go's plugin and module. */

const run = promisify(execFile)
const folder = process.env.TAPEHOUSE_STREAM_TOOLS
const proto = fileURLToPath(new URL('../../src/stream/tapehouse.proto', import.meta.url))

export const installed = folder !== undefined
const tool = (path: string) => join(folder ?? '', path)
const python = () => tool('venv/bin/python')

/** Puts tapehouse.proto into a folder. */
export const placeProto = (into: string) => copyFileSync(proto, join(into, 'tapehouse.proto'))

/** Compiles protos of a folder with the reference protoc. Gives what it had to say: nothing, if all is well. */
export async function protoc(within: string, names: readonly string[], flags: readonly string[]) {
  const args = ['-m', 'grpc_tools.protoc', `--proto_path=${within}`, ...flags, ...names]
  const { stdout, stderr } = await run(python(), args, { cwd: within })
  return `${stdout}${stderr}`
}

/** Runs a Python program with the protobuf runtime. Gives what it prints. */
export async function runPython(args: readonly string[]): Promise<string> {
  const { stdout } = await run(python(), ['-B', ...args], { maxBuffer: 2 ** 26 })
  return stdout
}

/** Flags that make protoc write Go into a folder. */
export const toGo = (into: string) => [
  `--plugin=protoc-gen-go=${tool('bin/protoc-gen-go')}`,
  `--go_out=${into}`,
  '--go_opt=paths=source_relative',
]

/** Builds the Go package of a folder and vets it, without a network. Rejects with what Go found wrong. */
export async function buildGo(within: string): Promise<void> {
  for (const name of ['go.mod', 'go.sum']) copyFileSync(tool(`go/${name}`), join(within, name))
  const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=mod' }
  for (const step of ['build', 'vet']) await run('go', [step, './...'], { cwd: within, env })
}

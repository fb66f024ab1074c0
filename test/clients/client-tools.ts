import { execFile } from 'node:child_process'
import { join } from 'node:path'

/** What `.ci/client-tools` has installed: generators of clients, and judges of the OpenAPI document. */

const folder = process.env.TAPEHOUSE_CLIENT_TOOLS

export const installed = folder !== undefined
export const nodeModules = join(folder ?? '', 'npm/node_modules')
const python = join(folder ?? '', 'venv/bin')

export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program of the tools in a folder, without what it would send to its maker. */
export function runTool(
  name: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
) {
  const path = [python, join(nodeModules, '.bin'), process.env.PATH].join(':')
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  const options = { cwd, maxBuffer: 2 ** 26, env: { ...process.env, PATH: path, ...quiet, ...env } }
  return new Promise<Printed>(resolve => {
    execFile(name, [...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    )
  })
}

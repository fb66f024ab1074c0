import { read } from '../house/source.ts'

/** The major versions of Node.js that `.ci/node` installs. */
export const provenVersions = (): string[] =>
  [...read('.ci/node').matchAll(/\[(\d+)\]=\d+\.\d+\.\d+/g)].map(([, major = '']) => major)

/** An environment without what the runner of the proof has set for its own processes. */
export const testEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(VITEST|TAPEHOUSE_PRO|TMPDIR$|NODE_ENV$|npm_)/.test(name)),
  )

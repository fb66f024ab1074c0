import type { Server } from '../cli/process.ts'

/** What lines of the log about workers have. */
export interface Line {
  readonly msg: string
  readonly workerPid: number
  readonly cause: string
  readonly reason: string
}

/** The lines of the log so far that have this message. */
export const lines = ({ output }: Pick<Server, 'output'>, msg: string): readonly Line[] =>
  output()
    .split('\n')
    .filter(line => line.startsWith('{') && line.endsWith('}'))
    .map(line => JSON.parse(line) as Line)
    .filter(line => line.msg === msg)

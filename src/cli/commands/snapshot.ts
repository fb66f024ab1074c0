import { resolve } from 'node:path'
import { suggestion } from '../../engine/nearest-name.ts'
import { keepSnapshot, releaseSnapshot } from '../../lake/snapshots/kept.ts'
import { snapshotNumber, wholeSnapshot } from '../../lake/snapshots/named.ts'
import { restoreSnapshot } from '../../lake/snapshots/restore.ts'
import { usage } from '../command/arguments.ts'
import type { Command } from '../command/command.ts'

export const snapshot: Command = {
  name: 'snapshot',
  usage: 'keep NAME [N] | release NAME | restore N|NAME',
  details:
    'keep gives a snapshot (default: the current one) a name: vacuum then does not delete it. A name has 1 to 64 of the characters a-z 0-9 . _ -, and not only digits. release removes the name. restore publishes the content of a snapshot as a new one; later snapshots stay until vacuum deletes them.',
  examples: [
    'tapehouse snapshot keep 2024-q1-report --lake data/lake',
    'tapehouse snapshot release 2024-q1-report',
    'tapehouse snapshot restore 12',
  ],
  settings: ['lake'],
  flags: {},
  run: async ({ positionals: [action = '', ...rest], settings }) => {
    const lake = resolve(settings.lake)
    const run = ACTIONS[action]
    if (run === undefined)
      throw usage(
        snapshot,
        action === ''
          ? 'no action: specify keep, release or restore'
          : `unknown action ${JSON.stringify(action)}: ${suggestion(action, Object.keys(ACTIONS))}`,
      )
    process.stdout.write(`${await run(lake, rest)}\n`)
    return 0
  },
}

/** Each action returns the line that reports what it did. */
const ACTIONS: Readonly<Record<string, (lake: string, rest: readonly string[]) => Promise<string>>> = {
  async keep(lake, [name, number, ...more]) {
    if (name === undefined || more.length > 0)
      throw usage(snapshot, 'keep requires a name, and takes the number of a snapshot')
    const wanted = number === undefined ? undefined : await snapshotNumber(lake, number)
    return `Snapshot ${await keepSnapshot(lake, name, wanted)} is kept as ${name}.`
  },
  async release(lake, [name, ...more]) {
    if (name === undefined || more.length > 0)
      throw usage(snapshot, 'release requires the name of one snapshot')
    await releaseSnapshot(lake, name)
    return `${name} is released: vacuum may delete the snapshot.`
  },
  async restore(lake, [text, ...more]) {
    if (text === undefined || more.length > 0)
      throw usage(snapshot, 'restore requires the number or the name of one snapshot')
    const wanted = await wholeSnapshot(lake, text)
    const { snapshot: number, published } = await restoreSnapshot(lake, wanted)
    return published
      ? `Snapshot ${number} has the content of snapshot ${wanted}.`
      : `Nothing to restore: snapshot ${number} has the content of snapshot ${wanted} already.`
  },
}

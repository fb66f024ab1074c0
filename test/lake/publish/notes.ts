import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { startOf } from '../../../src/engine/owner.ts'
import { type Base, onNewestBase } from '../../../src/lake/publish/base.ts'
import { type Change, type Dropped, type PublishOptions, publish } from '../../../src/lake/publish/publish.ts'
import { withStaging } from '../../../src/lake/publish/staging.ts'

/** A process that runs as long as the tests do, and one that has ended: its number has another process now. */
export const RUNNING = { host: hostname(), pid: 1, start: startOf(1) }
export const DEAD = { host: hostname(), pid: process.pid, start: 1 }
export const ELSEWHERE = { host: 'another-host', pid: 7, start: 1 }

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The name of a file or manifest that contains `text`. */
export const named = (folder: string, text: string, ending = 'parquet') =>
  `${folder}/${sha256(text).slice(0, 32)}.${ending}`

/** The manifest of a partition of notes that is one file with this text, in this folder of the lake. */
export const manifestOf = (partition: string, text: string, folder = `notes/${partition}`) => ({
  format: 2 as const,
  columns: {},
  dataset: folder.split('/')[0] ?? '',
  partition,
  inputs: [],
  files: [
    {
      name: named(folder, text),
      rows: 1,
      bytes: text.length,
      sha256: sha256(text),
      dates: ['2024-01-02', '2024-01-02'] as [string, string],
      ranges: {},
    },
  ],
})

/** The name of such a manifest. */
export const manifestName = (partition: string, text: string) =>
  named(`manifests/notes/${partition}`, `${JSON.stringify(manifestOf(partition, text))}\n`, 'json')

/** The change that gives a partition this text, with its file in the staging folder. */
export function noted(
  { staging }: Base,
  partition: string,
  text: string,
  absorbs: string[] = [],
  dataset = 'notes',
): Change {
  const manifest = manifestOf(partition, text, `${dataset}/${partition}`)
  const path = join(staging, `${partition} ${text}`)
  writeFileSync(path, text)
  return { manifest, staged: manifest.files.map(file => ({ path, file })), absorbs }
}

interface Notes {
  /** Texts by partition. */
  readonly notes?: Readonly<Record<string, string>>
  /** Those of another dataset. */
  readonly plans?: Readonly<Record<string, string>>
  readonly absorbs?: string[]
  readonly dropped?: readonly Dropped[]
  readonly options?: PublishOptions
}

/** Publishes notes: a dataset without a schema, whose files are texts, so that a publish takes milliseconds. */
export const put = (lake: string, { notes = {}, plans = {}, absorbs = [], dropped = [], options }: Notes) =>
  withStaging(lake, 'write', staging =>
    onNewestBase(lake, staging, base => {
      const noting = Object.entries(notes).map(([name, text]) => noted(base, name, text, absorbs))
      const planning = Object.entries(plans).map(([name, text]) => noted(base, name, text, [], 'plans'))
      return publish(base, [...noting, ...planning], dropped, options)
    }),
  )

export const recordOf = (lake: string, number: number) =>
  JSON.parse(readFileSync(join(lake, 'snapshots', `${number}.json`), 'utf8'))

/** The texts that a snapshot has, by partition, wherever their files are. */
export function textsOf(lake: string, number: number): Record<string, string> {
  const read = (name: string) => {
    const [place = name, superseded = name] = [join(lake, name), join(lake, 'superseded', name)]
    return readFileSync(existsSync(place) ? place : superseded, 'utf8')
  }
  const partitions: Record<string, string> = recordOf(lake, number).datasets.notes?.partitions ?? {}
  return Object.fromEntries(
    Object.entries(partitions).map(([partition, manifest]) => [
      partition,
      JSON.parse(read(manifest))
        .files.map(({ name }: { name: string }) => read(name))
        .join(),
    ]),
  )
}

/** The paths of all files in a folder and below, relative to it, and of its empty folders with a slash at the end. */
export function pathsBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .flatMap(name => {
      const path = join(folder, name)
      if (!statSync(path).isDirectory()) return name
      return readdirSync(path).length === 0 ? `${name}/` : []
    })
    .toSorted()
}

/** The same of the folders of the data. */
export const dataOf = (lake: string) => pathsBelow(join(lake, 'notes')).map(name => `notes/${name}`)

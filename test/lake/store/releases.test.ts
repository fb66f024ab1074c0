import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { inputFor } from '../../../src/cli/smoke/requests.ts'
import { loadSnapshot } from '../../../src/lake/store/snapshot.ts'
import { answer, pin } from '../../../src/operations/answering/answer.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { operations } from '../../../src/operations/index.ts'
import { folderForTest } from '../../fixtures/lake.ts'
import { engineFor } from '../../fixtures/service.ts'

/** A small lake of each release, with the answers that it gave: see `bin/make-lake.js`. */
const releases = fileURLToPath(new URL('../../fixtures/lakes/', import.meta.url))

interface Recorded {
  readonly operation: string
  readonly request: Readonly<Record<string, string>>
  readonly body: string
}

/** Unpacks the lake of a release into a folder of the test. */
function lakeOf(release: string): string {
  const lake = join(folderForTest(), 'lake')
  mkdirSync(lake)
  execFileSync('tar', ['-xzf', join(releases, release, 'lake.tar.gz'), '-C', lake])
  return lake
}

const recordedBy = (release: string): Recorded[] =>
  readFileSync(join(releases, release, 'answers.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

/** The operations whose answer differs from the recorded one. */
async function differing(lake: string, release: string): Promise<string[]> {
  const snapshot = await loadSnapshot(lake)
  const engine = await engineFor(lake)
  const different: string[] = []
  for (const { operation: id, request, body } of recordedBy(release)) {
    const operation = operations.find(each => each.id === id)
    if (operation === undefined) throw new Error(`there is no operation ${id}`)
    const validated = validate(operation, inputFor(operation, request))
    if ('faults' in validated) throw new Error(`${id} rejects a request of ${release}`)
    const pinned = pin(operation, validated.values, snapshot, { owner: null, admin: true })
    const { bytes } = await answer(pinned, engine, 'json', new AbortController().signal)
    if (Buffer.from(bytes).toString() !== body) different.push(id)
  }
  await engine.close()
  return different
}

describe.each(readdirSync(releases))('the lake of release %s', release => {
  test('has an answer of each operation', () => {
    expect(recordedBy(release).length).toBe(29)
  })

  test('is read in place, with the same answers', async () => {
    expect(await differing(lakeOf(release), release)).toEqual([])
  })
})

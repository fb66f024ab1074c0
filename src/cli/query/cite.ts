import { join } from 'node:path'
import { timed } from '../../engine/deadline.ts'
import type { Engine } from '../../engine/engine.ts'
import { Failure, firstLine } from '../../engine/failure.ts'
import { resources } from '../../engine/resources.ts'
import { snapshotNumbers } from '../../lake/snapshots/history.ts'
import { sha256OfFile } from '../../lake/store/content.ts'
import { currentNumber } from '../../lake/store/current.ts'
import { lakeFolder, locator } from '../../lake/store/layout.ts'
import { type LoadedSnapshot, loadSnapshot } from '../../lake/store/snapshot.ts'
import { type Pinned, pin, settle } from '../../operations/answering/answer.ts'
import { answerInParts } from '../../operations/answering/pages.ts'
import { faultText, validate } from '../../operations/answering/validate.ts'
import { type Citation, parseCitation } from '../../operations/citing/citation.ts'
import { filesHash, templatesHash } from '../../operations/citing/identity.ts'
import { withSnapshotAsOf } from '../command/as-of.ts'
import { withEngine } from '../command/reading.ts'
import type { Settings } from '../command/settings.ts'
import { digest, printAll } from './print.ts'

/**
 * Runs the request of a citation again on its snapshot and prints the same bytes. Rejects with usage for a text that is
 * not a citation, and with not_reproducible, before anything is printed, if something is gone or differs.
 */
export async function cite(line: string, settings: Settings): Promise<void> {
  const citation = parseCitation(line)
  const { operation, input } = citation
  const validated = validate(operation, input)
  if ('faults' in validated) throw new Failure('invalid_request', faultText(validated.faults))
  const lake = lakeFolder(settings.lake)
  await assertHeld(lake, citation.snapshot)
  const snapshot = await loadSnapshot(lake, citation.snapshot)
  const repeat = (state: LoadedSnapshot, directories: readonly string[]) =>
    answerAgain(citation, pin(operation, validated.values, state, CALLER), settings, directories)
  if (citation.asOf === null) await repeat(snapshot, [])
  else await withSnapshotAsOf(settings, snapshot, citation.asOf, (state, folder) => repeat(state, [folder]))
}

/** A user who can read the files of the lake may see everything in them. */
const CALLER = { owner: null, admin: true } as const

/** Prints the answer to the request of a citation if it is the same. `directories` are those outside the lake with its files. */
async function answerAgain(
  citation: Citation,
  request: Pinned,
  settings: Settings,
  directories: readonly string[],
): Promise<void> {
  const { lake } = request.snapshot
  const work = async (engine: Engine) => {
    const limited = timed(settings.deadlineMs)
    const settled = await limited(signal => settle(request, engine, signal))
    if (filesHash(settled) !== citation.files) throw differs(citation, lake, 'reads other files here')
    const answer = () => answerInParts(request, engine, 'json', limited)
    const { sha256 } = await answer()
      .then(digest)
      .catch(async thrown => {
        throw (await changedFile(settled)) ?? thrown
      })
    if (sha256 !== citation.sha256)
      throw (await changedFile(settled)) ?? differs(citation, lake, 'has another answer here')
    await printAll(await answer())
  }
  await withEngine(settings, lake, work, directories)
}

/** Throws not_reproducible if the lake does not have the snapshot. */
async function assertHeld(lake: string, number: number): Promise<void> {
  const current = await currentNumber(lake)
  const held = await snapshotNumbers(lake)
  if (held.includes(number)) return
  throw new Failure(
    'not_reproducible',
    number > current
      ? `${lake} has no snapshot ${number} yet, its last one is ${current}: the citation is of another lake`
      : `snapshot ${number} is gone from ${lake}, vacuum deleted it: the lake has ${held.join(', ')}; "tapehouse snapshot keep NAME" keeps a snapshot`,
  )
}

/** The failure for the first file of a request that is not as its manifest says; null if all are. */
async function changedFile({ snapshot, files }: Pinned): Promise<Failure | null> {
  const locate = locator(snapshot.lake)
  for (const { name, path, sha256 } of [...files.values()].flat()) {
    const found = await sha256OfFile(locate(path) ?? path).catch(firstLine)
    if (found !== sha256)
      return new Failure(
        'not_reproducible',
        `${join(snapshot.lake, name)} has changed or is gone: restore it from a copy of the lake ("tapehouse verify" lists all such files)`,
      )
  }
  return null
}

/** The failure for a request whose files are as they were, with the most likely reason. */
function differs({ operation, snapshot, build, template }: Citation, lake: string, how: string): Failure {
  const reason =
    templatesHash(operation) !== template
      ? `its SQL differs between the build of the citation, ${build}, and this one, ${resources.build()}: run that build`
      : build !== resources.build()
        ? `the citation is of build ${build}, this is ${resources.build()}: run that build, or check that the lake is the same one`
        : 'the citation is of another lake, or depended on the time of the request'
  return new Failure(
    'not_reproducible',
    `${operation.id} of snapshot ${snapshot} of ${lake} ${how}: ${reason}`,
  )
}

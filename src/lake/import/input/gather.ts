import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as wildcards from 'tinyglobby'
import { Failure } from '../../../engine/failure.ts'
import { writeFailure } from '../../store/durable.ts'
import { type Unpacking, unpackArchives } from './archives.ts'
import { type BadInput, badInput, type FoundFile, type FoundInputs, findFiles, oneLine } from './inputs.ts'

export interface Gathering extends Unpacking {
  /** What `-` stands for. */
  readonly standardInput: AsyncIterable<Uint8Array>
}

const STANDARD_INPUT = '-'

/**
 * The files of `inputs`, which are files, folders, patterns such as `data/*.csv`, and `-` for standard input. The members
 * of archives take their places. Files that are none of the user's are in the folder. An input that cannot be read does
 * not stop the others.
 */
export async function gatherFiles(inputs: readonly string[], gathering: Gathering): Promise<FoundInputs> {
  const paths: string[] = []
  const piped: FoundFile[] = []
  const bad: BadInput[] = []
  for (const input of new Set(inputs))
    try {
      if (input === STANDARD_INPUT) piped.push(await spool(gathering))
      else paths.push(...(await matching(input)))
    } catch (thrown) {
      bad.push(badInput(input, thrown))
    }
  const found = await findFiles(paths, gathering.endings)
  const unpacked = await unpackArchives([...found.files, ...piped], gathering)
  return { files: unpacked.files, bad: [...bad, ...found.bad, ...unpacked.bad] }
}

/** The files and folders that match a pattern, in order. A path that exists is no pattern, whatever its characters. */
async function matching(input: string): Promise<string[]> {
  const exists = await stat(input).then(
    () => true,
    () => false,
  )
  if (exists || !wildcards.isDynamicPattern(input)) return [input]
  const found = await wildcards.glob(input, { onlyFiles: false, expandDirectories: false, dot: false })
  if (found.length === 0)
    throw new Failure(
      'input_refused',
      `no file matches ${oneLine(input)}: specify files, folders or a pattern such as data/*.csv`,
    )
  return found.map(path => path.replace(/(?<=.)\/$/, '')).sort()
}

/** Writes standard input to the folder, because files are read twice. */
async function spool({ folder, canceling, standardInput }: Gathering): Promise<FoundFile> {
  const path = join(folder, 'standard-input')
  let bytes = 0
  async function* counted() {
    for await (const chunk of standardInput) {
      canceling.check()
      bytes += chunk.length
      yield chunk
    }
  }
  await pipeline(counted(), createWriteStream(path)).catch(thrown => {
    throw thrown instanceof Failure ? thrown : writeFailure(path, thrown)
  })
  if (bytes === 0)
    throw new Failure(
      'input_refused',
      'standard input is empty: pipe a file into the command, or specify one',
    )
  return { path, shown: STANDARD_INPUT, origin: STANDARD_INPUT, bytes, isNamed: true }
}

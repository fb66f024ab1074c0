import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take more than ten seconds, the longest first. One of them that started last would leave a worker idle.
 * Order by the durations that `vitest run --reporter=json` writes. Vitest begins with large files unless it knows the durations
 * of an earlier run, which a clean checkout does not.
 */
const LONG = [
  'crash-generated',
  'mutate-even',
  'mutate-odd',
  'lineage',
  'crash-derived',
  'cli/demo',
  'hold/damage',
  'openapi/contract',
  'binary/binary',
  'binary/getting-started',
  'realdata',
  'cli/serve',
  'http/streaming',
  'generate/market',
  'examples',
  'golden/even',
  'golden/odd',
  'answering/scans',
  'http/streaming-broken',
  'stream/command',
  'derive/derive',
  'publish/crash',
  'cli/smoke',
  'cli/streaming',
  'generate/generate',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONG.findIndex(name => /\.(test|proof)\.ts$/.test(moduleId) && moduleId.includes(`${name}.`))
  return place === -1 ? LONG.length : place
}

/** The order of test files: the long ones first, so that all workers end at about the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

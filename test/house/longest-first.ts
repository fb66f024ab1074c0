import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a minute and more: begun last, one of them would run on alone. */
const LONG = ['crash-generated', 'serve', 'golden', 'crash-derived', 'market', 'streaming', 'scans']

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONG.findIndex(name => moduleId.endsWith(`/${name}.test.ts`))
  return place === -1 ? LONG.length : place
}

/** The order of test files: the long ones first, so that both workers end at about the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

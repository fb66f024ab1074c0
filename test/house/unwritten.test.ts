import { expect, test } from 'vitest'
import { filesBelow, read } from './source.ts'

/** `npm run new` writes `…` where a person has to write: as a comment in SQL, as a text elsewhere. */

const UNWRITTEN = '…'
const PLACES: readonly (readonly [folder: string, ending: string, place: RegExp])[] = [
  ['sql', '.sql', /-- (?:[\w-]+: )?…$/],
  ['src', '.ts', /['"`]…['"`]|^ \* …$/],
  ['test/golden', '.json', /"…"/],
  ['test/calculations', '.ts', /['"`]…['"`]/],
  ['test/sql', '.ts', /['"`]…['"`]/],
]

test('nothing is left to be written', () => {
  const left = PLACES.flatMap(([folder, ending, place]) =>
    filesBelow(folder, ending).flatMap(path =>
      read(path)
        .split('\n')
        .flatMap((line, index) =>
          place.test(line)
            ? [`${path}:${index + 1}: write it in place of "${UNWRITTEN}": ${line.trim()}`]
            : [],
        ),
    ),
  )
  expect(left).toEqual([])
})

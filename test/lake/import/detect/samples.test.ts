import { join } from 'node:path'
import { expect, test } from 'vitest'
import { detect } from '../../../../src/lake/import/detect/detect.ts'
import { listFormats } from '../../../../src/lake/import/format/formats.ts'
import { layoutsOf } from '../../../../src/lake/import/layout/layouts.ts'

/** The sample files of all layouts, and what each must be recognised as. */
const samples = listFormats().flatMap(format =>
  layoutsOf(format.name).flatMap(layout =>
    (layout.sample?.files ?? []).map(file => ({
      file: join('sql/import', format.name, layout.name, file),
      is: `${format.name}/${layout.name}`,
    })),
  ),
)

test('Each sample of a layout is recognised as this layout, and as nothing else', async () => {
  const found = await detect(samples.map(({ file }) => file))
  const names = found.map(({ path, candidates }) => ({
    file: path,
    is: candidates.map(({ format, layout }) => `${format}/${layout?.name ?? ''}`).join(', '),
  }))
  expect(names).toEqual(samples)
})

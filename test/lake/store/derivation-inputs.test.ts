import { expect, test } from 'vitest'
import { derivations } from '../../../src/lake/store/derivation.ts'

const all = [...derivations()]

test.each(all)('%s reads each input of its head and no other', (name, { reads, days, sql }) => {
  const read = [...sql.matchAll(/read_parquet\(\$(\w+)/g)].map(([, input]) => input)
  const documented = reads.map(input => input.dataset.name)
  expect([...new Set(read)].toSorted(), `"-- reads:" in sql/derive/${name}.sql`).toEqual(
    documented.toSorted(),
  )
  expect(documented, `"-- days:" in sql/derive/${name}.sql`).toEqual(
    expect.arrayContaining(days.map(each => each.name)),
  )
})

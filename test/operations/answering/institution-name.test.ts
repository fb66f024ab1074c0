import { describe, expect, test } from 'vitest'
import type { LakeFile, Selection, Snapshot } from '../../../src/lake/store/snapshot.ts'
import { entityTag, pin } from '../../../src/operations/answering/answer.ts'
import { cikIn } from '../../../src/operations/answering/institution-name.ts'
import type { Operation } from '../../../src/operations/answering/operation.ts'
import { validate } from '../../../src/operations/answering/validate.ts'
import { institutionHoldings } from '../../../src/operations/catalog/institution-holdings.ts'
import { institutionSectors } from '../../../src/operations/catalog/institution-sectors.ts'
import { snapshotWith } from '../../fixtures/snapshot.ts'

const NOBODY = { owner: null, admin: false }

/** A snapshot of one file per dataset, which records the requested selections. */
function watched(contents: Readonly<Record<string, string>> = {}) {
  const requested: Record<string, Selection> = {}
  const snapshot = snapshotWith({
    files: (dataset, selection = {}) => {
      requested[dataset] = selection
      return [{ name: dataset, sha256: contents[dataset] ?? dataset } as LakeFile]
    },
    lastDate: () => '2024-09-30',
  })
  return { snapshot, requested }
}

function pinned(operation: Operation, name: string, query: string, snapshot: Snapshot) {
  const validated = validate(operation, { path: { name }, query: [...new URLSearchParams(query)] })
  if ('faults' in validated) throw new Error(JSON.stringify(validated.faults))
  return pin(operation, validated.values, snapshot, NOBODY)
}

const asks = (operation: Operation, name: string, query = '') => {
  const { snapshot, requested } = watched()
  pinned(operation, name, query, snapshot)
  return requested
}

describe.each([institutionHoldings, institutionSectors])('$id', operation => {
  test('of a CIK reads that institution alone, and no names', () => {
    expect(asks(operation, '000100')).toEqual({
      institution_positions: { keys: { cik: ['100'] } },
    })
  })

  test('of a name reads whatever it may turn out to mean', () => {
    expect(asks(operation, 'alpha', 'date=2024-06-30')).toEqual({
      institution_positions: {},
      institutions: {},
      institution_totals: {},
    })
  })

  test('of one CIK has one tag, however many zeros lead it', () => {
    const tag = (name: string) =>
      entityTag(pinned(operation, name, '', watched().snapshot), 'json', 'identity')
    expect(tag('000100')).toBe(tag('100'))
    expect(tag('1000')).not.toBe(tag('100'))
  })

  test('of a name has another tag as soon as positions or names change', () => {
    const tag = (contents: Readonly<Record<string, string>>) =>
      entityTag(pinned(operation, 'alpha', '', watched(contents).snapshot), 'json', 'identity')
    const changed = ['institution_positions', 'institutions', 'institution_totals'].map(name =>
      tag({ [name]: 'changed' }),
    )
    expect(new Set([tag({}), ...changed]).size).toBe(4)
  })
})

describe('institution-holdings', () => {
  test('prunes a range by its days and tickers', () => {
    expect(
      asks(institutionHoldings, '100', 'start_date=2024-01-01&end_date=2024-06-30&ticker_symbol=AAA'),
    ).toMatchObject({
      institution_positions: {
        from: '2024-01-01',
        to: '2024-06-30',
        keys: { cik: ['100'], ticker: ['AAA'] },
      },
    })
  })

  test('looks at every ticker to find the latest report', () => {
    expect(asks(institutionHoldings, '100', 'ticker_symbol=AAA')).toEqual({
      institution_positions: { keys: { cik: ['100'] } },
    })
  })
})

test('a CIK has digits alone, and its leading zeros count for nothing', () => {
  expect(['0001067983', '7', '000', '12a', '-1', '1 2', '', null].map(cikIn)).toEqual([
    '1067983',
    '7',
    '0',
    null,
    null,
    null,
    null,
    null,
  ])
})

import { expect, test } from 'vitest'
import { runOtherTests } from './other-tests.ts'

/** Runs four tests, of which two are skipped and two are slow, with the reporter of skips. */
const run = (...args: string[]) =>
  runOtherTests({
    reporter: 'test/house/skips.ts',
    settings: { tags: [{ name: 'slow' }] },
    args,
    files: {
      'some.test.ts': `import { describe, expect, test } from 'vitest'
        describe('one', () => { test('runs', () => { expect(1).toBe(1) }) })
        test('takes long', { tags: 'slow' }, () => {})
        test.skip('another is skipped', () => {})
        test.skip('another that takes long is skipped', { tags: 'slow' }, () => {})`,
    },
  })

test('a skipped test without an excuse fails the run', () => {
  const { status, stderr } = run()
  expect(stderr).toContain('skipped without an excuse in test/house/skips.ts: another is skipped')
  expect(status).toBe(1)
})

test('tests that -t leaves out are not skipped, but a skipped one that it names is', () => {
  expect(run('-t', 'one runs')).toMatchObject({ status: 0 })
  expect(run('-t', 'another')).toMatchObject({ status: 1 })
})

test('tests that FILE:LINE leaves out are not skipped', () => {
  expect(run('some.test.ts:2')).toMatchObject({ status: 0 })
})

test('tests that --tags-filter leaves out are not skipped, but a skipped one that it names is', () => {
  const skipped = (stderr: string) => stderr.match(/(?<=without an excuse in test\/house\/skips.ts: ).*/g)
  expect(skipped(run('--tags-filter=slow').stderr)).toEqual(['another that takes long is skipped'])
  expect(skipped(run('--tags-filter=!slow').stderr)).toEqual(['another is skipped'])
  expect(run('--tags-filter=slow && !slow')).toMatchObject({ status: 0 })
})

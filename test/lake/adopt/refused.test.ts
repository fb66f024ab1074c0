import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { adopt } from '../../../src/lake/adopt/adopt.ts'
import { day, landDays, silent } from '../store/days.ts'
import { CANONICAL, foreignFolder, writeForeign } from './foreign.ts'

const A_ROW = "('A', DATE '2024-01-02', 1)"
const REFUSED: readonly [string, string, RegExp][] = [
  [
    'a missing column',
    CANONICAL.replace('NULL::DECIMAL(18, 6) AS high,', ''),
    /column high: expected DECIMAL\(18,6\), found none$/,
  ],
  [
    'an unknown column',
    `${CANONICAL}, 1 AS row_number`,
    /column row_number: daily_bars has no such column, found INTEGER$/,
  ],
  [
    'a NULL key',
    CANONICAL.replace('ticker', 'NULL::VARCHAR AS ticker'),
    /column ticker: expected a value in every row, found NULL$/,
  ],
  [
    'digits that do not fit',
    CANONICAL.replace('close::DECIMAL(18, 6)', '1.23456789::DOUBLE'),
    /column close: expected DECIMAL\(18,6\), found DOUBLE with 1 values that do not convert without loss$/,
  ],
  [
    'a text for a number',
    CANONICAL.replace('1000::BIGINT', "'many'"),
    /column volume: expected BIGINT, found VARCHAR with 1 values/,
  ],
  [
    'a time in a date',
    CANONICAL.replace('date', "TIMESTAMP '2024-01-02 09:30:00' AS date"),
    /column date: expected DATE, found TIMESTAMP with 1 values/,
  ],
]

test.each(REFUSED)('%s is rejected with file, column, expected and found', async (_, select, problem) => {
  const { folder, writer } = await foreignFolder()
  await writeForeign(writer, join(folder, 'daily_bars/good.parquet'), A_ROW)
  await writeForeign(writer, join(folder, 'daily_bars/wrong.parquet'), A_ROW, select)
  const refusal = await adopt(writer, folder, {}, silent).catch(thrown => thrown)
  expect(refusal).toMatchObject({ code: 'input_refused' })
  expect(refusal.message).toMatch(/^daily_bars\/wrong\.parquet: /)
  expect(refusal.message).toMatch(problem)
  expect(readdirSync(folder)).toEqual(['daily_bars'])
  expect(readdirSync(join(folder, 'daily_bars')).toSorted()).toEqual(['good.parquet', 'wrong.parquet'])
})

test('a file that is not Parquet, a link and a pattern are rejected by name', async () => {
  const { folder, writer } = await foreignFolder()
  await writeForeign(writer, join(folder, 'daily_bars/a.parquet'), A_ROW)
  const refusal = (message: RegExp) => ({ code: 'input_refused', message: expect.stringMatching(message) })
  const bytes = readFileSync(join(folder, 'daily_bars/a.parquet'))
  writeFileSync(join(folder, 'daily_bars/b.parquet'), bytes.subarray(0, 200))
  await expect(adopt(writer, folder, {}, silent)).rejects.toMatchObject(
    refusal(/^daily_bars\/b\.parquet cannot be read as Parquet: [^\n]*$/),
  )
  const linked = await foreignFolder()
  mkdirSync(join(linked.folder, 'daily_bars'))
  symlinkSync(join(folder, 'daily_bars/a.parquet'), join(linked.folder, 'daily_bars/a.parquet'))
  await expect(adopt(linked.writer, linked.folder, {}, silent)).rejects.toMatchObject(
    refusal(/is a symbolic link/),
  )
  const folderLink = await foreignFolder()
  symlinkSync(join(folder, 'daily_bars'), join(folderLink.folder, 'daily_bars'))
  await expect(adopt(folderLink.writer, folderLink.folder, {}, silent)).rejects.toMatchObject(
    refusal(/^daily_bars is a symbolic link/),
  )
  const patterned = await foreignFolder()
  await writeForeign(patterned.writer, join(patterned.folder, 'daily_bars/a.parquet'), A_ROW)
  writeFileSync(join(patterned.folder, 'daily_bars/a[1].parquet'), bytes)
  await expect(adopt(patterned.writer, patterned.folder, {}, silent)).rejects.toMatchObject(
    refusal(/rename it/),
  )
})

test('a lake, a folder without Parquet files and a missing folder are rejected', async () => {
  const { folder, writer } = await foreignFolder()
  const refusal = (message: RegExp) => ({ code: 'input_refused', message: expect.stringMatching(message) })
  await expect(adopt(writer, folder, {}, silent)).rejects.toMatchObject(refusal(/no Parquet files <dataset>/))
  await expect(adopt(writer, join(folder, 'none'), {}, silent)).rejects.toMatchObject(
    refusal(/cannot be read/),
  )
  expect(readdirSync(folder)).toEqual([])
  await landDays(writer, folder, [day('A', '2024-01-02')])
  await expect(adopt(writer, folder, {}, silent)).rejects.toMatchObject(
    refusal(/is already a lake: add to it with "tapehouse import"/),
  )
})

import type { Row } from './lake.ts'
import { parameter, type Request } from './request.ts'
import { timeOf } from './time.ts'

/** Pages of records in order of `created_at`, newest first, that `older_than` continues. */

/** A time, and how many records of this very time come no more; 0: none of them comes. */
export interface Older {
  readonly time: bigint
  readonly passed: number
}

export function olderThan(request: Request): Older | null {
  const text = parameter(request, 'older_than') ?? ''
  const [time = '', passed = '0'] = text.split('/')
  return time === '' ? null : { time: timeOf(time), passed: Number(passed) }
}

/** Whether `newer_than` is after `older_than`, which is refused. */
export function isCrossed(request: Request): boolean {
  const [newer, older] = [parameter(request, 'newer_than'), olderThan(request)]
  return newer !== null && older !== null && timeOf(newer) > older.time
}

export const isBefore = (time: bigint, { time: bound, passed }: Older): boolean =>
  passed === 0 ? time < bound : time <= bound

/** The first page of sorted records that are before `older`. */
export function timePage(records: readonly Row[], older: Older | null, limit: number): readonly Row[] {
  const equal = records.filter(({ created_at: time }) => time === older?.time).length
  const left = records.slice(Math.min(equal, older?.passed ?? 0))
  const page = left.slice(0, limit)
  const following = left[limit]
  const complete = page.filter(({ created_at: time }) => time !== following?.created_at)
  return following === undefined || complete.length === 0 ? page : complete
}

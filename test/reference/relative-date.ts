import { newYork } from './time.ts'

/** The date in New York. */
export const today = (): string => newYork(BigInt(Date.now()) * 1000n).date

/** A date, or today if that is earlier: the time to which relative windows refer. */
export function earlierOfToday(date: string): string {
  const now = today()
  return date < now ? date : now
}

/** A date some calendar months earlier: the same day of the month, or the month's last day if it has no such day. */
export function monthsBefore(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const first = new Date(Date.UTC(year, month - 1 - months, 1))
  const lastDay = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  first.setUTCDate(Math.min(day, lastDay))
  return first.toISOString().slice(0, 10)
}

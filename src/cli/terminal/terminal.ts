import type { Observation, Observe } from '../../engine/observation.ts'
import { replaceLine } from './standard-output.ts'

const SHOW_AFTER_MS = 1000
const SHOW_EVERY_MS = { terminal: 200, file: 5000 }

/** Writes progress and notices to a stream: on a terminal one line that is overwritten, elsewhere a line per step. */
export function progressOn(stream: NodeJS.WriteStream): { observe: Observe; end: () => void } {
  const started = performance.now()
  let shownAt = Number.NEGATIVE_INFINITY
  let open = false
  const everyMs = stream.isTTY ? SHOW_EVERY_MS.terminal : SHOW_EVERY_MS.file
  const end = () => {
    if (open) stream.write('\n')
    open = false
  }
  return {
    end,
    observe(observation: Observation) {
      if (observation.kind === 'notice') {
        end()
        stream.write(`note: ${observation.message}\n`)
      }
      if (observation.kind !== 'progress') return
      const now = performance.now()
      if (now - started < SHOW_AFTER_MS || now - shownAt < everyMs) return
      shownAt = now
      const { task, done, total, unit } = observation
      const share = total > 0 ? ` (${Math.floor((100 * done) / total)} %)` : ''
      const doneText = unit === 'bytes' ? amount(done, unit) : count(done)
      const line = `${task}: ${doneText} of ${amount(total, unit)}${share}`
      if (stream.isTTY) replaceLine(stream, line)
      else stream.write(`${line}\n`)
      open = stream.isTTY
    },
  }
}

/** A quantity with its unit: `93,612 rows`; bytes as `1.5 MiB`. */
export function amount(value: number, unit: string): string {
  if (unit !== 'bytes') return `${count(value)} ${unit}`
  const [scaled, name] =
    value >= 1024 ** 3
      ? [value / 1024 ** 3, 'GiB']
      : value >= 1024 ** 2
        ? [value / 1024 ** 2, 'MiB']
        : [value / 1024, 'KiB']
  return `${scaled.toFixed(1)} ${name}`
}

/** 93612 → `93,612`, in every locale. */
export const count = (value: number) => String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')

/** A number and a noun: `1 row`, `2 rows`. */
export const counted = (value: number, noun: string) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`

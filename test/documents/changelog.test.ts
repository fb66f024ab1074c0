import { describe, expect, test } from 'vitest'
import { read } from '../house/source.ts'

const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']

const page = read('CHANGELOG.md')
const versions = page.split(/^## /m).slice(1)

describe('CHANGELOG.md', () => {
  test('begins with what is unreleased, then has releases with their dates, the latest first', () => {
    const [unreleased, ...releases] = versions.map(section => section.split('\n', 1)[0] ?? '')
    expect(unreleased).toBe('[Unreleased]')
    for (const release of releases) expect(release).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/)
    const dates = releases.map(release => release.slice(-10))
    expect(dates).toEqual(dates.toSorted().toReversed())
  })

  test('has a section for the version of package.json, or calls it unreleased', () => {
    const { version } = JSON.parse(read('package.json'))
    const [unreleased = '', ...releases] = versions
    expect(releases.some(release => release.startsWith(`[${version}]`)) || unreleased.includes(version)).toBe(
      true,
    )
  })

  test('groups entries by kind, each of them a sentence', () => {
    for (const version of versions) {
      const [head = '', ...groups] = version.split(/^### /m)
      expect(groups.length, head).toBeGreaterThan(0)
      for (const group of groups) {
        const [kind = '', ...lines] = group.trim().split('\n')
        expect(KINDS).toContain(kind)
        const entries = lines.join('\n').trim().split(/^- /m).slice(1)
        expect(entries.length, kind).toBeGreaterThan(0)
        for (const entry of entries) expect(entry.trim()).toMatch(/\.$/)
      }
    }
  })
})

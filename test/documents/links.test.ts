import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, read, root } from '../house/source.ts'

const pages = [
  ...readdirSync(root).filter(name => name.endsWith('.md')),
  ...['docs', 'test', 'examples'].flatMap(folder => filesBelow(folder, '.md')),
]

/** A page without its blocks of code, in which a bracket is no link. */
const prose = (page: string) => read(page).replaceAll(/^```.*?^```$/gms, '')

/** Anchors of a page's headings, made as GitHub, GitLab and Gitea make them. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of prose(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const text = heading.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

/** Targets of a page's links to other files and to headings. */
const linksOf = (page: string) =>
  [
    ...prose(page)
      .replaceAll(/`[^`\n]*`/g, '``')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter(target => !/^[a-z]+:/.test(target))

/** What is wrong with a link, or null. */
function fault(page: string, target: string): string | null {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : posix.join(posix.dirname(page), path)
  if (!existsSync(join(root, file))) return `${page}: ${target}: there is no ${file}`
  if (anchor === undefined || anchorsOf(file).has(anchor)) return null
  return `${page}: ${target}: ${file} has no heading #${anchor}`
}

describe('links', () => {
  test('between documents lead to a file and a heading', () => {
    const links = pages.flatMap(page => linksOf(page).map(target => ({ page, target })))
    expect(links.length).toBeGreaterThan(50)
    expect(links.flatMap(({ page, target }) => fault(page, target) ?? [])).toEqual([])
  })

  test('that lead nowhere are found', () => {
    expect(fault('README.md', 'docs/nothing.md')).toBe(
      'README.md: docs/nothing.md: there is no docs/nothing.md',
    )
    expect(fault('README.md', 'docs/serving.md#nothing')).toBe(
      'README.md: docs/serving.md#nothing: docs/serving.md has no heading #nothing',
    )
    expect(fault('docs/concepts.md', '#lake')).toBeNull()
    expect(fault('docs/concepts.md', 'serving.md#long-answers')).toBeNull()
  })
})

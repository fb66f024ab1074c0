import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf, read } from './source.ts'

interface Package {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  engines: { node: string }
}

const manifest: Package = JSON.parse(read('package.json'))
const documented = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name)
const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]

describe('dependencies', () => {
  test('stand in docs/dependencies.md, each with its reasons, and no other', () => {
    expect(documented.toSorted()).toEqual(declared.toSorted())
    for (const line of read('docs/dependencies.md').matchAll(/^\| `[^`]+` \|(.*)\|$/gm)) {
      const cells = String(line[1])
        .split('|')
        .map(cell => cell.trim())
      expect(cells.length, line[0]).toBe(3)
      expect(
        cells.every(cell => cell.length > 3),
        line[0],
      ).toBe(true)
    }
  })

  test('are all imported, by the product or by its tests', () => {
    const imported = (folders: string[]) =>
      new Set(
        folders
          .flatMap(folder => filesBelow(folder, '.ts'))
          .flatMap(importsOf)
          .map(({ to }) => to),
      )
    const product = imported(['src'])
    expect(Object.keys(manifest.dependencies).filter(name => !product.has(name))).toEqual([])
    const tests = imported(['test', 'bench'])
    const tools = ['typescript', '@biomejs/biome', '@types/node', 'vitest']
    expect(
      Object.keys(manifest.devDependencies).filter(name => !tests.has(name) && !tools.includes(name)),
    ).toEqual([])
    expect(
      [...product].filter(
        name => !name.startsWith('node:') && !name.startsWith('src/') && !(name in manifest.dependencies),
      ),
    ).toEqual([])
  })

  test('pin the engine exactly and are locked with integrity', () => {
    expect(manifest.dependencies['@duckdb/node-api']).toMatch(/^\d+\.\d+\.\d+-r\.\d+$/)
    const lock: { packages: Record<string, { integrity?: string; link?: boolean }> } = JSON.parse(
      read('package-lock.json'),
    )
    const unlocked = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && !entry.integrity)
    expect(unlocked.map(([path]) => path)).toEqual([])
  })
})

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
  test('are those of docs/dependencies.md, each with its purpose, reasons and rejected alternatives', () => {
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
    const tools = [
      'typescript',
      'rolldown',
      '@biomejs/biome',
      '@bufbuild/buf',
      '@bufbuild/protoc-gen-es',
      '@types/node',
      '@types/ws',
      '@types/yauzl',
      'cspell',
      '@stryker-mutator/core',
      '@stryker-mutator/vitest-runner',
      'vitest',
    ]
    expect(
      Object.keys(manifest.devDependencies).filter(
        name => !product.has(name) && !tests.has(name) && !tools.includes(name),
      ),
    ).toEqual([])
    expect(
      [...product].filter(
        name => !name.startsWith('node:') && !name.startsWith('src/') && !declared.includes(name),
      ),
    ).toEqual([])
  })

  test('pin the engine exactly and are locked with integrity', () => {
    expect(manifest.dependencies['@duckdb/node-bindings']).toMatch(/^\d+\.\d+\.\d+-r\.\d+$/)
    expect(manifest.devDependencies['@duckdb/node-api']).toMatch(/^\d+\.\d+\.\d+-r\.\d+$/)
    interface Locked {
      integrity?: string
      resolved?: string
      optional?: boolean
      os?: string[]
      optionalDependencies?: Record<string, string>
    }
    const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'))
    const entries = Object.entries(packages).filter(([path]) => path !== '')
    // Packages for another platform, which a mirror may lack, are locked by version alone: see bin/complete-lock.js.
    const open = entries.filter(([, { integrity, optional, os }]) => !integrity && !(optional && os))
    expect(open.map(([path]) => path)).toEqual([])
    expect(entries.filter(([, { resolved }]) => resolved)).toEqual([])
    const wanted = entries.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}))
    expect(
      wanted.filter(name => /darwin|win32|android/.test(name) && !packages[`node_modules/${name}`]),
    ).toEqual([])
  })
})

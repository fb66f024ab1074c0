'use strict'
// Loads the modules of the program inside the single binary: the first script of its processes and threads.

const { getAssetKeys, getRawAsset } = process.getBuiltinModule('node:sea')
const { Script } = process.getBuiltinModule('node:vm')

const BUILT_IN = /^(?:node:)?([a-z_]+(?:\/[a-z]+)*)$/
const assets = new Set(getAssetKeys())
const loaded = new Map()
const bytesOf = name => Buffer.from(getRawAsset(name))

/**
 * Returns the exports of a module of the program, e.g. `main.js`. Its compiled code is the asset `compiled/<name>`, which
 * Node.js refuses if it is of another version or of other options: then it compiles the source.
 */
function load(name) {
  const known = loaded.get(name)
  if (known !== undefined) return known.exports
  if (!assets.has(`code/${name}`)) throw new Error(`the binary has no module ${name}`)
  const module = { exports: {} }
  loaded.set(name, module)
  const compiled = `compiled/${name}`
  const script = new Script(bytesOf(`code/${name}`).latin1Slice(), {
    filename: name,
    ...(assets.has(compiled) ? { cachedData: bytesOf(compiled) } : {}),
  })
  script.runInThisContext()(module.exports, required, module, process.execPath)
  return module.exports
}

/** All modules are in one folder, and no package is loaded. */
function required(name) {
  if (name.startsWith('./')) return load(name.slice(2))
  const builtIn = BUILT_IN.test(name) ? process.getBuiltinModule(name) : undefined
  if (builtIn === undefined) throw new Error(`the binary has no package ${name}`)
  return builtIn
}

'use strict'
// Runs a command of the program as the single binary does, and writes the compiled code of all that it used.
// Arguments: the list of assets, the folder for compiled code, and the command. Run it with the Node.js of the binary.
const cluster = require('node:cluster')
const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

const [node, , list, folder, ...command] = process.argv
const assets = JSON.parse(readFileSync(list, 'utf8'))

/** The assets, from files. */
const sea = {
  getAssetKeys: () => Object.keys(assets),
  getAsset: (name, encoding) => readFileSync(assets[name], encoding),
  getRawAsset: name => new Uint8Array(readFileSync(assets[name])).buffer,
}

const scripts = []
class Recorded extends Script {
  constructor(source, options) {
    super(source, options)
    scripts.push({ script: this, name: options.filename })
  }
}

const builtIn = process.getBuiltinModule
const replaced = { 'node:sea': sea, 'node:vm': { Script: Recorded } }
process.getBuiltinModule = name => replaced[name] ?? builtIn(name)
process.on('exit', () => {
  for (const { script, name } of scripts) keep(name, script.createCachedData())
})

/** Of several processes, the one that used most of a module has the largest compiled code. */
function keep(name, compiled) {
  const path = join(folder, name)
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= compiled.length) return
  writeFileSync(`${path}.${process.pid}`, compiled)
  renameSync(`${path}.${process.pid}`, path)
}

// As in the binary, where a worker of the server has the path of the script in front of the arguments.
process.argv = cluster.isWorker ? [node, node, node, ...command] : [node, node, ...command]
if (cluster.isPrimary) cluster.setupPrimary({ exec: __filename, args: [list, folder, ...command] })
new Script(`(() => {${readFileSync(assets['loader.js'], 'utf8')}\nload('main.js')})()`).runInThisContext()

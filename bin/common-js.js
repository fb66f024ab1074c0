import { isBuiltin } from 'node:module'

/**
 * Loads a module of Node.js when a bundled module that imports it runs, and not when the program starts. Most commands
 * need few of them, and an `import` of `node:http` alone would take as long as the start of Node.js.
 */
const builtInLater = {
  name: 'built-in-later',
  // The bundler's own code must load them at once.
  resolveId: (id, importer) =>
    isBuiltin(id) && !importer?.startsWith('\0') ? `\0${id.replace(/^node:/, '')}` : null,
  load: id =>
    id.startsWith('\0') && isBuiltin(`node:${id.slice(1)}`)
      ? `module.exports = process.getBuiltinModule('node:${id.slice(1)}')`
      : null,
}

/** Code of ASCII characters takes half the memory, and loads faster. Others are in texts and patterns only. */
const inAscii = {
  name: 'in-ascii',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      chunk.code = chunk.code?.replaceAll(
        /[^\0-\x7f]/g,
        unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
  },
}

/** Options of the bundler: the program as CommonJS modules in one folder, whose compiled code can be kept. */
export const COMMON_JS = {
  platform: 'node',
  plugins: [builtInLater, inAscii],
  output: {
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    minify: { compress: true, mangle: false, codegen: true },
  },
}

// What `npm ci`, `npm install` and `npm pack` run in a checkout: builds the program and links its command. `--omit=dev` installs no
// bundler, so that an earlier build stays as it is.
import { existsSync } from 'node:fs'

const at = path => new URL(`../${path}`, import.meta.url)

if (existsSync(at('node_modules/rolldown'))) {
  await import('./build.js')
  await import('./link.js')
  if (process.env.npm_command === 'pack') await import('./message-types.js')
} else if (existsSync(at('dist/main.js'))) {
  await import('./link.js')
} else {
  process.stderr.write(
    'tapehouse is not built: the build needs the development packages. Run "npm ci" without --omit=dev, or install the npm package of a release.\n',
  )
}

// Writes dist/messages.d.ts, the types of what `import … from 'tapehouse/messages'` has. `npm pack` runs it after the build.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const at = path => fileURLToPath(new URL(`../${path}`, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tapehouse-types-'))

try {
  execFileSync(
    process.execPath,
    [
      at('node_modules/typescript/bin/tsc'),
      ...['--project', at('tsconfig.build.json'), '--outDir', folder],
      ...['--declaration', '--emitDeclarationOnly'],
    ],
    { stdio: 'inherit' },
  )
  writeFileSync(at('dist/messages.d.ts'), readFileSync(join(folder, 'stream/tapehouse_pb.d.ts')))
} finally {
  rmSync(folder, { recursive: true })
}

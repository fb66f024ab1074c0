import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { read, root } from '../house/source.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'tapehouse-proto-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Nothing listens there: who asks the network fails. */
const NOWHERE = 'http://127.0.0.1:1'

test('src/stream/tapehouse_pb.ts is what `npm run proto` makes of the proto, without a network', {
  tags: 'slow',
}, async () => {
  const bin = join(root, 'node_modules', '.bin')
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    HTTP_PROXY: NOWHERE,
    HTTPS_PROXY: NOWHERE,
    BUF_CACHE_DIR: folder,
  }
  const { proto } = JSON.parse(read('package.json')).scripts
  expect(proto).toBe('buf generate')
  await run(join(bin, 'buf'), ['generate', '--output', folder], { cwd: root, env })
  expect(readFileSync(join(folder, 'src/stream/tapehouse_pb.ts'), 'utf8')).toBe(
    read('src/stream/tapehouse_pb.ts'),
  )
})

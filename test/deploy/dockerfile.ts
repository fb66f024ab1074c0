import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as wildcards from 'tinyglobby'
import { nodeMounts, registryOptions } from './image-base.ts'

/** An image, or a stage of it: a root and how to start a program in it. */
export interface Image {
  readonly root: string
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  readonly user: string
  readonly port: number
  readonly stopSignal: NodeJS.Signals
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
}

/** What a build reads: the folder that `COPY` copies from, and a new root with the contents of a base image. */
interface Sources {
  readonly context: string
  readonly base: (image: string) => Promise<string>
}

type Instruction = (text: string, image: Image, stages: readonly Image[], sources: Sources) => Partial<Image>

/** The instructions of deploy/Dockerfile, besides FROM. */
const INSTRUCTIONS: Readonly<Record<string, Instruction>> = {
  COPY: (text, image, stages, { context }) => {
    const [, stage, from = '', to = ''] = matched(/^(?:--from=(\w+) )?([^\s-]\S*) (\/\S*)$/, text)
    const source = stage === undefined ? context : stageCalled(stage, stages).root
    const paths = wildcards.globSync(from.replace(/^\//, ''), {
      cwd: source,
      onlyFiles: false,
      expandDirectories: false,
    })
    if (paths.length !== 1) throw new Error(`COPY ${text}: ${paths.length} files have this name`)
    const path = join(source, paths[0] ?? '')
    const isInto = to.endsWith('/') && !statSync(path).isDirectory()
    const target = join(image.root, isInto ? join(to, basename(path)) : to)
    mkdirSync(dirname(target), { recursive: true })
    cpSync(path, target, { recursive: true, verbatimSymlinks: true })
    return {}
  },
  RUN: (text, { root, env, user }) => {
    if (user !== '0') throw new Error(`RUN ${text}: the test runs these as root`)
    const set = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value])
    const files = [...nodeMounts(), ...registryOptions()]
    // bwrap makes a folder that a file is mounted in, where there is none, for root alone; it stays in the root.
    for (const [index, target] of files.entries())
      if (files[index - 2] === '--ro-bind') mkdirSync(join(root, dirname(target)), { recursive: true })
    const mounts = ['--bind', root, '/', ...files, '--proc', '/proc', '--dev', '/dev']
    execFileSync('bwrap', [...mounts, ...set, '/bin/sh', '-c', text], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH, HOME: '/root' },
    })
    return {}
  },
  ENV: (text, { env }) => {
    const values = text.split(/\s+/).map(pair => matched(/^(\w+)=([^'"$\\]*)$/, pair))
    return { env: { ...env, ...Object.fromEntries(values.map(([, name, value]) => [name, value])) } }
  },
  USER: text => ({ user: matched(/^(\d+):\1$/, text)[1] ?? '' }),
  EXPOSE: text => ({ port: Number(matched(/^\d+$/, text)[0]) }),
  STOPSIGNAL: text => ({ stopSignal: matched(/^SIG[A-Z]+$/, text)[0] as NodeJS.Signals }),
  ENTRYPOINT: text => ({ entrypoint: JSON.parse(text) as string[], command: [] }),
  CMD: text => ({ command: JSON.parse(text) as string[] }),
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Carries out the instructions of a Dockerfile, and returns its last stage. Rejects what the table does not have. */
export async function built(dockerfile: string, sources: Sources): Promise<Image> {
  const stages: Image[] = []
  for (const [keyword, text] of instructionsOf(dockerfile)) {
    const image = stages.at(-1)
    if (keyword === 'FROM') {
      const [, base = '', name = ''] = matched(/^(\S+)(?: AS (\w+))?$/, text)
      stages.push({ ...EMPTY, name, root: await sources.base(base) })
      continue
    }
    const carryOut = INSTRUCTIONS[keyword]
    if (carryOut === undefined || image === undefined)
      throw new Error(`the test does not know how to carry out: ${keyword} ${text}`)
    stages[stages.length - 1] = { ...image, ...carryOut(text, image, stages, sources) }
  }
  const last = stages.at(-1)
  if (last === undefined) throw new Error('the Dockerfile has no FROM')
  return last
}

const EMPTY = {
  env: { PATH },
  user: '0',
  port: 0,
  stopSignal: 'SIGTERM',
  entrypoint: [],
  command: [],
} as const

/** Keyword and text of each instruction, without comments, its lines joined. */
const instructionsOf = (dockerfile: string): [string, string][] =>
  dockerfile
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => {
      const [, keyword = '', text = ''] = matched(/^(\S+)\s+(.+?)\s*$/, line)
      return [keyword, text]
    })

function matched(pattern: RegExp, text: string): RegExpExecArray {
  const found = pattern.exec(text)
  if (found === null) throw new Error(`the test does not know this form: ${text}`)
  return found
}

function stageCalled(name: string, stages: readonly Image[]): Image {
  const found = stages.find(stage => stage.name === name)
  if (found === undefined) throw new Error(`the Dockerfile has no stage ${name}`)
  return found
}

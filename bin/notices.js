import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i
const RULE = '='.repeat(80)

/** Packages that were published without a license file. */
const WITHOUT_FILE = ['@bufbuild/protobuf', 'abstract-logging', 'saxes']

/** A package with the texts of its license files. Throws if it has none, unless the list above has it. */
function notice(manifest, folder) {
  const { name, version, license } = manifest
  const files = readdirSync(folder)
    .filter(file => LICENSE_FILE.test(file))
    .sort()
  if (files.length === 0 && !WITHOUT_FILE.includes(name))
    throw new Error(`${name} ${version} (${license}) has no license file in ${folder}`)
  const texts =
    files.length === 0
      ? [withoutFile(manifest)]
      : files.map(file => readFileSync(join(folder, file), 'utf8').trim())
  return `${RULE}\n${name} ${version}\nLicense: ${license}\n${RULE}\n\n${texts.join('\n\n')}\n`
}

/** What the manifest of a package says about its terms. */
function withoutFile({ license, author, repository }) {
  const by = typeof author === 'string' ? author : author?.name
  const source = typeof repository === 'string' ? repository : repository?.url
  const texts = license
    .match(/[\w.-]+/g)
    .filter(word => word !== 'AND' && word !== 'OR')
    .map(id => `https://spdx.org/licenses/${id}.html`)
  return `${by === undefined ? '' : `Author: ${by}\n`}Source: ${source}\nThe package has no license file. The text of the license: ${texts.join(', ')}`
}

/** The text of THIRD_PARTY_NOTICES: each package in one of the folders, by its name. */
export function notices(folders) {
  const packages = folders.map(folder => ({
    folder,
    manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  }))
  packages.sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1))
  return [
    'tapehouse contains or depends on the software below. The single binary contains all of it.\n',
    ...packages.map(({ folder, manifest }) => notice(manifest, folder)),
  ].join('\n')
}

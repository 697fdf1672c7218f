// The licences of the packages that the bundles contain. Most ask for their notice in every copy.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Licences that allow copies in a program under the MIT licence, with their notice. */
const ALLOWED = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'Unlicense',
  'BlueOak-1.0.0',
]
const NOTICE = /^(licen[cs]e|copying|notice)([.-].*)?$/i

/**
 * @param moduleIds paths of the bundled modules.
 * @returns the text of a file with every notice.
 * @throws {Error} that names a package whose licence is missing or not in the list.
 */
export function thirdPartyNotices(moduleIds) {
  const folders = new Set([...moduleIds].map(packageFolder).filter((folder) => folder !== null))
  const notices = [...folders].sort().map(noticeOf)
  return ['Quoin contains parts of the following packages, under their licences.', ...new Set(notices)].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  )
}

function packageFolder(id) {
  const [folder] = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id) ?? [null]
  return folder
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder)
    .filter((file) => NOTICE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
  const names = String(license).replaceAll(/[()]/g, '').split(' OR ')
  if (!names.some((one) => ALLOWED.includes(one)))
    throw new Error(
      `${name} ${version} has the licence ${license}, which scripts/third-party.mjs does not list.`,
    )
  return [`${name} ${version} (${license})`, ...texts].join('\n\n')
}

import { isMap, parseDocument } from 'yaml'
import type { Settings } from '../domain/settings.ts'
import { latestVersion, type Version } from '../domain/version.ts'
import { mapLinks } from '../page-text/map-links.ts'

/** The changes for a new latest version: the files of the present one are copied to a folder of their own. */
export interface VersionCut {
  /** The version that was the latest. */
  readonly previous: Version
  /** Files to copy, with their new names. */
  readonly copies: readonly { readonly from: string; readonly to: string }[]
  /** Folders whose root-relative links lead to the copies, in the copies. */
  readonly moved: ReadonlyMap<string, string>
  readonly versions: readonly Version[]
}

/**
 * Plans a new latest version, in the folder of the present one, whose files are copied to a folder of their own.
 *
 * @param files of the content folder.
 * @param current the name of the present version, on a site without versions.
 * @returns a sentence if it cannot be done.
 */
export function planVersionCut(
  files: readonly string[],
  { locales, versions }: Pick<Settings, 'locales' | 'versions'>,
  name: string,
  current: { readonly name: string; readonly folder: string } | null,
): VersionCut | string {
  const latest =
    latestVersion(versions) ??
    (current && { name: current.name, label: current.name, subroute: current.folder, latest: true })
  if (latest === null)
    return 'The site has no versions yet. Name that of its present documentation with --current, e.g. --current 1.0.'
  if (latest.subroute === '')
    return 'The latest version has no subroute, so its files have no folder to copy.'
  if ([latest, ...versions].some((version) => version.name === name))
    return `The version ${name} exists already.`
  const subroute = `${latest.subroute}/${latest.name.toLowerCase()}`
  const roots = locales.length === 0 ? [''] : locales.map((locale) => locale.subroute)
  const inRoot = (root: string, folder: string) => (root === '' ? folder : `${root}/${folder}`)
  const moved = new Map(roots.map((root) => [inRoot(root, latest.subroute), inRoot(root, subroute)]))
  const others = versions.filter((version) => version !== latest).map((version) => version.subroute)
  const isOther = (file: string) =>
    roots.some((root) => others.some((folder) => file.startsWith(`${inRoot(root, folder)}/`)))
  const copies = files.flatMap((from) => {
    const found = [...moved].find(([folder]) => from.startsWith(`${folder}/`))
    if (found === undefined || isOther(from)) return []
    return [{ from, to: `${found[1]}${from.slice(found[0].length)}` }]
  })
  if (copies.length === 0) return `The folder ${latest.subroute} has no files to copy.`
  const existing = new Set(files)
  const clash = copies.find(({ to }) => existing.has(to))
  if (clash !== undefined) return `The file ${clash.to} exists already. Move it away, or remove it.`
  const previous = { ...latest, subroute, latest: false }
  const next = { name, label: name, subroute: latest.subroute, latest: true }
  return {
    previous,
    copies,
    moved,
    versions: [next, previous, ...versions.filter((version) => version.name !== latest.name)],
  }
}

/** The text of a copied page, whose links to its own version stay in it. */
export function inMovedVersion(text: string, moved: VersionCut['moved']): string {
  return mapLinks(text, (target) => {
    const found = [...moved].find(([folder]) => target === `/${folder}` || target.startsWith(`/${folder}/`))
    return found === undefined ? target : `/${found[1]}${target.slice(found[0].length + 1)}`
  })
}

/** `site.yaml` with these versions. Everything else stays as it is written, comments too. */
export function withVersions(text: string, versions: readonly Version[]): string {
  const document = parseDocument(text)
  const written = versions.map(({ name, label, subroute, latest }) => ({
    name,
    ...(label !== name && { label }),
    subroute,
    ...(latest && { latest }),
  }))
  if (!isMap(document.contents)) return text
  document.set('versions', document.createNode(written))
  return document.toString({ lineWidth: 0 })
}

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

/*
 * Golden sites hold each published file once: `fixtures/golden/default/<site>` has the pages of a site, and
 * `fixtures/golden/default/assets` the files of the theme, without the hash in their names. The folders of other
 * themes hold only the files that differ. So a changed style sheet rewrites the style sheet, not every page that
 * links it.
 */

const FOLDER = join(PACKAGE_ROOT, 'fixtures/golden')
const BASE_THEME = 'default'
const HASHED = /^_assets\/(.+)\.([0-9a-f]{16})\.(\w+)$/
/** `404.html` is served at any depth and links no file, so it holds the theme's style and script as text. */
const INLINED = /(<style>|<script>)([\s\S]*?)(<\/)/g

export interface GoldenSite {
  /** The site's own files by key, with hashes of assets replaced by `[hash]`. */
  readonly pages: ReadonlyMap<string, string>
  /** The theme's files by name without hash. */
  readonly assets: ReadonlyMap<string, string>
}

/** @param files every text file of a published or built site, by key. */
export function goldenSite(files: ReadonlyMap<string, string>): GoldenSite {
  const assets = new Map<string, string>()
  const bodies = new Map<string, string>()
  const hashes = new Map<string, string>()
  for (const [key, text] of files) {
    const [, name, hash, extension] = HASHED.exec(key) ?? []
    if (name === undefined || hash === undefined) continue
    hashes.set(`${name}.${hash}.${extension}`, `${name}.[hash].${extension}`)
    // The code of a package, and of other languages in each site.
    if (name.startsWith('stem-')) continue
    assets.set(`${name}.${extension}`, byRule(extension, text))
    bodies.set(`${name}.${extension}`, text)
  }
  const pages = new Map<string, string>()
  for (const [key, text] of files) {
    if (HASHED.test(key)) continue
    const page = key === '404.html' ? withoutInlined(text, bodies) : text
    pages.set(key, withoutHashes(key === '_index.json' ? withoutRevision(page) : page, hashes))
  }
  return { pages, assets }
}

/** The revision counts the batches of a bulk publish, whose number depends on how fast pages render. */
function withoutRevision(manifest: string): string {
  return manifest.replace(/"revision":\d+/, '"revision":0')
}

export function readGolden(site: string, theme: string): GoldenSite {
  return { pages: readLayered(theme, site), assets: readLayered(theme, 'assets') }
}

/** Write the theme `default` before the others: they hold only what differs from it. */
export function writeGolden(site: string, theme: string, { pages, assets }: GoldenSite): void {
  writeLayered(theme, site, pages)
  writeLayered(theme, 'assets', assets)
}

function readLayered(theme: string, name: string): ReadonlyMap<string, string> {
  const base = readFolder(join(FOLDER, BASE_THEME, name))
  return theme === BASE_THEME ? base : new Map([...base, ...readFolder(join(FOLDER, theme, name))])
}

function writeLayered(theme: string, name: string, files: ReadonlyMap<string, string>): void {
  const base = theme === BASE_THEME ? new Map() : readFolder(join(FOLDER, BASE_THEME, name))
  const differences = [...files].filter(([key, text]) => base.get(key) !== text)
  writeFolder(join(FOLDER, theme, name), new Map(differences))
}

/** A compact style sheet is one line; a golden one has a line per rule, so that a diff shows what changed. */
function byRule(extension: string | undefined, text: string): string {
  return extension === 'css' ? text.replaceAll('}', '}\n') : text
}

/** Replaces the theme's style and script, where `404.html` holds them, and their digests in the policy by names. */
function withoutInlined(page: string, bodies: ReadonlyMap<string, string>): string {
  const digests = new Map<string, string>()
  const html = page.replace(INLINED, (_, open: string, text: string, close: string) => {
    const shown = [...bodies].reduce(
      (rest, [name, body]) => rest.replace(body.trim(), () => `[${name}]`),
      text,
    )
    if (shown !== text) digests.set(createHash('sha256').update(text).digest('base64'), `[digest of ${open}]`)
    return `${open}${shown}${close}`
  })
  return [...digests].reduce((text, [digest, name]) => text.replace(digest, name), html)
}

function withoutHashes(text: string, hashes: ReadonlyMap<string, string>): string {
  return [...hashes].reduce((page, [name, plain]) => page.replaceAll(name, plain), text)
}

function readFolder(folder: string): Map<string, string> {
  const keys = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return new Map(keys.sort().map((key) => [key, readFileSync(join(folder, key), 'utf8')]))
}

function writeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [key, text] of files) {
    mkdirSync(dirname(join(folder, key)), { recursive: true })
    writeFileSync(join(folder, key), text)
  }
}

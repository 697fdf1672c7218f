import { isSiteName } from '../domain/site-names.ts'
import { isSkillFile } from '../domain/skill.ts'

/**
 * The kind of a file in a content folder:
 *
 * - `settings`: `site.yaml`
 * - `page`: a page; a `.yaml` or `.json` file may turn out to be an attachment when it is read
 * - `static`: a file of `static/`, or an agent skill, which is always part of the site
 * - `attachment`: a file next to pages, which is part of the site where a page or `site.yaml` names it
 * - `private`: a file that must not be published, such as one with passwords or a private key
 */
export type FileKind = 'settings' | 'page' | 'static' | 'attachment' | 'private'

export const SITE_FILE = 'site.yaml'

/** The folder whose files are always part of the site, without it in their path. */
export const STATIC_FOLDER = 'static/'

/** Case does not matter, so that `README.MD` is a page on every system. */
export const PAGE_FILE = /(\.page)?\.(md|markdown|yaml|json)$/i

/** Files that systems and version control leave in any folder. No author expects them on a site. */
const LITTER =
  /(^|\/)(\.DS_Store|\._[^/]*|\.AppleDouble|\.localized|\.directory|\.gitkeep|\.keep|\.gitignore|\.gitattributes)$/

/** A file that holds certificates or keys, as its text says. Only certificates are public. */
const PEM = /\.pem$/i

/** Private keys and key stores, by their usual names. */
const SECRET = /(^|\/)(id_(rsa|dsa|ecdsa|ed25519)|[^/]*\.(key|p12|pfx|jks|keystore|kdbx|ppk))$/i

/**
 * Decides the kind of a file. No other function does. Files that match `ignored-files.ts` are left out before.
 *
 * @param path relative to the content folder.
 */
export function fileKind(path: string): FileKind {
  if (path === SITE_FILE) return 'settings'
  if (!path.split('/').every(isSiteName) || SECRET.test(path)) return 'private'
  if (path.startsWith(STATIC_FOLDER) || isSkillFile(path)) return 'static'
  return PAGE_FILE.test(path) ? 'page' : 'attachment'
}

/** Reports whether the content of a file must not be published. @param text reads it; empty if it cannot be read. */
export function holdsSecret(path: string, text: () => string): boolean {
  if (!PEM.test(path)) return false
  const held = text()
  return !held.includes('-----BEGIN CERTIFICATE-----') || held.includes('PRIVATE KEY-----')
}

export function isLitter(path: string): boolean {
  return LITTER.test(path)
}

/** The reason why a private file is not published, with advice if it may be. */
export function privateReason(path: string): string {
  if (PEM.test(path))
    return 'The file is not published: it may hold a private key. A .pem file is public if it holds certificates alone.'
  return SECRET.test(path)
    ? 'The file is not published: its name is that of a private key. Rename it if everybody may read it.'
    : 'The file is not published: names that start with a dot belong to systems and tools, and may hold passwords. Rename it if everybody may read it.'
}

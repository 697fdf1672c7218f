import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject, type JsonValue } from '../domain/json.ts'
import {
  isSamePath,
  MAX_REDIRECT_PATHS,
  REDIRECT_PATH_RULE,
  readRedirectPath,
  toPathList,
} from '../domain/redirect-path.ts'
import { publicPath, type SiteRoutes } from '../domain/route.ts'
import { MAX_SITE_REDIRECTS, readRedirectTarget, TARGET_RULE } from '../domain/site-redirect.ts'
import { foldedAddress } from '../domain/slug.ts'
import type { PageFile } from './page-file.ts'
import { readRedirectLines } from './redirect-lines.ts'
import type { FolderRedirect, SiteAsset } from './site.ts'
import { isParseIssue, readYaml, type TextPosition } from './yaml-source.ts'

/** Old paths of a site with the paths that they lead to now, one a line: `/old: /new`. */
export const REDIRECTS_FILE = 'redirects.yaml'

/**
 * Errors for invalid paths of `redirect_from`, and for redirects of pages and the site at a path that a page, an asset
 * or another redirect already has.
 */
export function redirectErrors(
  files: readonly PageFile[],
  redirects: readonly FolderRedirect[],
  assets: readonly SiteAsset[],
  routes: SiteRoutes,
): readonly Diagnostic[] {
  const leading = files.filter(({ page }) => page.config['redirect_from'] !== undefined)
  if (leading.length + redirects.length === 0) return []
  const takenBy = new Map<string, string>([
    ...assets.map(
      ({ source, path }) => [foldedAddress(`/${path}`), `is already the path of ${source}.`] as const,
    ),
    ...files.map(({ page }) => [publicPath(page, routes), `is already the path of ${page.source}.`] as const),
  ])
  const ofPages = leading.flatMap(({ page, redirectPlaces }) => {
    const own = publicPath(page, routes)
    return toPathList(page.config['redirect_from']).flatMap((written, index) => {
      const path = readRedirectPath(written)
      const isOwn = path !== null && isSamePath(path, own)
      const fault = path === null ? REDIRECT_PATH_RULE : isOwn ? undefined : takenBy.get(foldedAddress(path))
      if (path !== null && !isOwn) takenBy.set(foldedAddress(path), `already redirects to ${page.source}.`)
      if (fault === undefined) return []
      const field = `redirect_from[${index}]`
      const message = path === null ? `${field} ${fault}` : `${field}: ${path} ${fault}`
      const code = path === null ? 'QN-BAD-VALUE' : 'QN-REDIRECT-CONFLICT'
      return [diagnostic(code, page.source, message, { ...redirectPlaces[index], field })]
    })
  })
  const ofSite = redirects.flatMap(({ from, line }) => {
    const fault = takenBy.get(foldedAddress(from))
    if (fault === undefined) {
      takenBy.set(foldedAddress(from), `already redirects, by ${REDIRECTS_FILE}.`)
      return []
    }
    return [diagnostic('QN-REDIRECT-CONFLICT', REDIRECTS_FILE, `${from} ${fault}`, { line, field: from })]
  })
  return [...ofPages, ...ofSite]
}

/**
 * Adds the redirects of `redirects.yaml` to their target pages, as if the pages named them in `redirect_from`.
 * Redirects to anything else, and redirects beyond the limit of a page, belong to the site. A redirect to another old
 * path leads to the end of the chain.
 *
 * @param text null for a file that is not UTF-8.
 */
export function withRedirectsFile(
  files: readonly PageFile[],
  text: string | null,
  routes: SiteRoutes,
): RedirectsReading {
  const { redirects: lines, errors: lineErrors } = readRedirectsFile(text)
  const errors = [...lineErrors]
  if (lines.length > MAX_SITE_REDIRECTS)
    errors.push(
      diagnostic(
        'QN-REDIRECT-CONFLICT',
        REDIRECTS_FILE,
        `The file has ${lines.length} redirects, and a site has at most ${MAX_SITE_REDIRECTS}.`,
      ),
    )
  const pages = new Map(files.map((file) => [publicPath(file.page, routes), file]))
  const stated = new Map(
    files.flatMap(({ page }) =>
      toPathList(page.config['redirect_from']).map(
        (path) => [foldedAddress(readRedirectPath(path) ?? path), publicPath(page, routes)] as const,
      ),
    ),
  )
  const byPath = new Map(lines.map((line) => [foldedAddress(line.from), line]))
  const added = new Map<PageFile, string[]>()
  const redirects: FolderRedirect[] = []
  for (const line of lines) {
    const to = endOf(line, { byPath, stated, pages })
    const { place } = line
    const page = to?.kind === 'path' && to.fragment === null ? pages.get(to.path) : undefined
    if (to === null) {
      const message = `${line.written} leads back to itself.`
      errors.push(
        diagnostic('QN-REDIRECT-CONFLICT', REDIRECTS_FILE, message, { ...place, field: line.written }),
      )
    } else if (page !== undefined && roomOf(page, added) > 0)
      added.set(page, [...(added.get(page) ?? []), line.written])
    else redirects.push({ from: line.from, to, line: place.line })
  }
  return { files: files.map((file) => withAdded(file, added.get(file))), redirects, errors }
}

/**
 * The redirects of a `redirects.yaml` as they are written.
 *
 * @param text null for a file that is not UTF-8.
 * @param maxParsed UTF-16 code units of a file with other lines than one redirect each: parsing it takes long.
 */
export function readRedirectsFile(
  text: string | null,
  maxParsed = Number.POSITIVE_INFINITY,
): {
  readonly redirects: readonly WrittenLine[]
  readonly errors: readonly Diagnostic[]
} {
  const lines = text === null ? null : readRedirectLines(text)
  if (lines !== null)
    return readAll(lines.map(({ from, to, line }) => [from, to, { line, column: 1 }] as const))
  if (text !== null && text.length > maxParsed) {
    const message = 'The file is long, and has other lines than /old: /new. Write one redirect a line.'
    return { redirects: [], errors: [diagnostic('QN-BAD-YAML', REDIRECTS_FILE, message)] }
  }
  const source = text === null ? null : readYaml(text, 1)
  if (source === null)
    return {
      redirects: [],
      errors: [diagnostic('QN-BAD-ENCODING', REDIRECTS_FILE, 'The file is not UTF-8 text.')],
    }
  if (isParseIssue(source))
    return { redirects: [], errors: [diagnostic('QN-BAD-YAML', REDIRECTS_FILE, source.message, source)] }
  const written = source.value ?? {}
  if (!isJsonObject(written)) {
    const message = 'The file must hold paths, one a line: /old: /new.'
    return { redirects: [], errors: [diagnostic('QN-BAD-YAML', REDIRECTS_FILE, message)] }
  }
  return readAll(Object.entries(written).map(([from, to]) => [from, to, source.placeOf([from])] as const))
}

function readAll(
  lines: readonly (readonly [from: string, to: JsonValue | undefined, place: TextPosition])[],
): ReturnType<typeof readRedirectsFile> {
  const errors: Diagnostic[] = []
  const redirects = lines.flatMap(([from, to, place]) => {
    const line = readLine(from, to)
    if (!('fault' in line)) return [{ ...line, line: place.line, place }]
    errors.push(diagnostic(line.code, REDIRECTS_FILE, line.fault, { ...place, field: from }))
    return []
  })
  return { redirects, errors }
}

/** A line with its place in the file. */
export interface WrittenLine extends FolderRedirect {
  readonly written: string
  readonly place: TextPosition
}

export interface RedirectsReading {
  readonly files: readonly PageFile[]
  /** Redirects that belong to no page. */
  readonly redirects: readonly FolderRedirect[]
  readonly errors: readonly Diagnostic[]
}

interface Line {
  readonly written: string
  readonly from: string
  readonly to: FolderRedirect['to']
}

function readLine(
  written: string,
  target: JsonValue | undefined,
): Line | { readonly code: 'QN-BAD-VALUE' | 'QN-REDIRECT-CONFLICT'; readonly fault: string } {
  const to = typeof target === 'string' ? readRedirectTarget(target) : null
  const from = readRedirectPath(written)
  if (/[*:]/.test(written) && from === null)
    return {
      code: 'QN-BAD-VALUE',
      fault: `${written} is a pattern, and there are none: write a line for each path.`,
    }
  if (from === null) return { code: 'QN-BAD-VALUE', fault: `${written} ${REDIRECT_PATH_RULE}` }
  if (to === null) return { code: 'QN-REDIRECT-CONFLICT', fault: `The target of ${written} ${TARGET_RULE}` }
  return { written, from, to }
}

/** The target of a line at the end of its chain; null when it leads back to itself. */
function endOf(
  { from, to: first }: Line,
  site: {
    readonly byPath: ReadonlyMap<string, Line>
    /** Paths of pages by the old paths that they name. */
    readonly stated: ReadonlyMap<string, string>
    readonly pages: Pick<ReadonlyMap<string, unknown>, 'has'>
  },
): FolderRedirect['to'] | null {
  const seen = new Set([foldedAddress(from)])
  for (let to = first; ; ) {
    if (to.kind === 'url' || site.pages.has(to.path)) return to
    const address = foldedAddress(to.path)
    if (seen.has(address)) return null
    seen.add(address)
    const page = site.stated.get(address)
    const next =
      page === undefined
        ? site.byPath.get(address)?.to
        : { kind: 'path' as const, path: page, fragment: null }
    if (next === undefined) return to
    const { fragment } = to
    to = next.kind === 'url' || fragment === null ? next : { ...next, fragment }
  }
}

function roomOf(file: PageFile, added: ReadonlyMap<PageFile, readonly string[]>): number {
  const stated = toPathList(file.page.config['redirect_from']).length
  return MAX_REDIRECT_PATHS - stated - (added.get(file)?.length ?? 0)
}

function withAdded(file: PageFile, added: readonly string[] | undefined): PageFile {
  if (added === undefined) return file
  const { page } = file
  const paths = [...toPathList(page.config['redirect_from']), ...added]
  return { ...file, page: { ...page, config: { ...page.config, redirect_from: paths } } }
}

import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { PageOutline } from '../content-folder/outline.ts'
import { readEdited } from '../content-folder/read-edited.ts'
import { readSite, type SiteReading } from '../content-folder/read-site.ts'
import type { Site, SiteAsset } from '../content-folder/site.ts'
import { unreadFieldWarnings } from '../content-folder/unread-fields.ts'
import { settingsAt } from '../domain/announcement.ts'
import { byPosition, type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { ownTheme } from '../domain/page.ts'
import { DEFAULT_SETTINGS } from '../domain/settings.ts'
import { cssIssueText } from '../page-text/custom-css.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { inBuiltInThemes, pagesInOtherThemes } from './built-in-themes.ts'
import { type HeldPage, heldPages, heldWarning } from './held-pages.ts'
import type { EditedSite } from './incremental/prepare-edited.ts'
import { lineFinder } from './line-finder.ts'
import { idOf } from './stable-ids.ts'

/** A content folder, and which of its pages to build. */
export interface ContentRequest {
  readonly folder: string
  /** The output folder. Not content if it is inside the content folder. */
  readonly out: string
  /** Replaces the theme in the folder; null uses that. */
  readonly theme: string | null
  /** Builds drafts too. */
  readonly drafts: boolean
  /** Builds articles with a date in the future too. */
  readonly future?: boolean
  /**
   * Loads no theme of the folder, so that none of its code runs. Pages in other themes are built in the default one.
   */
  readonly builtInThemesOnly?: boolean
}

/** Reads the content folder of a request, without the pages and files that the request excludes. */
export async function readContent(
  request: ContentRequest,
  renderer: ContentJudge,
  now: string,
): Promise<Content> {
  return contentOf(await readFolder(request), request, renderer, now)
}

export interface Content extends SiteReading {
  /** Articles that are not built before their date. */
  readonly held: readonly HeldPage[]
}

/** The errors of the files of a content folder that can be found without any theme. */
export async function contentErrors(
  request: Pick<ContentRequest, 'folder' | 'out'>,
): Promise<readonly Diagnostic[]> {
  return (await readFolder(request)).errors
}

function readFolder({ folder, out }: Pick<ContentRequest, 'folder' | 'out'>): Promise<SiteReading> {
  return readSite(folder, relative(folder, out).replaceAll(sep, '/'))
}

/** Reads the edited pages. Null if the edits affect other files. */
export async function readEditedContent(
  request: ContentRequest,
  { files, edited, notes }: EditedFiles,
  renderer: ContentJudge,
  now: string,
): Promise<EditedSite | null> {
  const outlines = new Map(notes.outlines.map((outline) => [outline.source, outline]))
  const written = readEdited(request.folder, edited, { files, outlines })
  if (written === null) return null
  const reading = {
    site: written,
    errors: [],
    warnings: [],
    unused: [],
    references: [],
    outlines: notes.outlines,
    dataFiles: [],
  }
  const { site, errors, warnings, held } = await contentOf(reading, request, renderer, now)
  // A page that is held back from now on is to be removed.
  if (errors.length + held.length > 0) return null
  const isBuilt = ({ draft }: PageOutline) => request.drafts || !draft
  return { ...site, outlines: notes.outlines.filter(isBuilt), warnings }
}

interface EditedFiles {
  /** `files` lists all files of the folder, `edited` the ones that may have changed. */
  readonly files: readonly string[]
  readonly edited: readonly string[]
  readonly notes: { readonly outlines: readonly PageOutline[] }
}

/** Knows the installed themes, and checks CSS. */
type ContentJudge = Pick<Renderer, 'themes' | 'cssIssue' | 'readsField'>

/**
 * @param now ISO 8601 UTC.
 * @returns the site without excluded pages and files, and the errors to fix first.
 */
export async function contentOf(
  { site: given, errors, warnings, ...rest }: SiteReading,
  { folder, theme, drafts, future = false, builtInThemesOnly = false }: Omit<ContentRequest, 'out'>,
  renderer: ContentJudge,
  now: string,
): Promise<Content> {
  const isInOthers = builtInThemesOnly && pagesInOtherThemes(given, renderer.themes).size > 0
  const written = builtInThemesOnly ? inBuiltInThemes(given, renderer.themes) : given
  const wanted = written.pages.filter(({ draft }) => drafts || !draft)
  const held = future ? [] : heldPages(wanted, now)
  const heldFiles = new Set(held.map(({ file }) => file))
  const site: Site = {
    ...written,
    settings: settingsAt({ ...written.settings, ...(theme !== null && { theme }) }, now),
    pages: wanted.filter(({ source }) => !heldFiles.has(source)),
  }
  const content = { ...rest, site: withoutOthers(site) }
  const found = [
    ...errors,
    ...themeErrors(site, { folder, theme }, renderer.themes),
    ...(await styleErrors(site, renderer)),
  ].sort(byPosition)
  const isBuilt = ({ draft }: PageOutline) => drafts || !draft
  const outlines = rest.outlines.filter(isBuilt)
  const themes = themesOf(site, outlines)
  const unread = unreadFieldWarnings(
    outlines,
    // A theme that was not loaded may read any field.
    (field) => isInOthers || themes.some((name) => renderer.readsField(name, field)),
    (file, field) => lineFinder(file, readFileSync(join(folder, file), 'utf8'))(field, undefined),
  )
  return { ...content, errors: found, warnings: [...warnings, ...unread, ...held.map(heldWarning)], held }
}

/** Names of the themes that pages of the site are rendered with. @param outlines of all pages, edited or not. */
function themesOf({ settings }: Site, outlines: readonly PageOutline[]): readonly string[] {
  const own = outlines.flatMap(({ theme }) => theme ?? [])
  return [...new Set([settings.theme ?? DEFAULT_SETTINGS.theme, ...own])]
}

/** Removes attachments that only drafts name, directly or through style sheets and SVGs. */
function withoutOthers(site: Site): Site {
  const naming = new Set([SITE_FILE, ...site.pages.map(({ source }) => source)])
  const isNamed = ({ namedBy }: SiteAsset) => namedBy === null || namedBy.some((source) => naming.has(source))
  for (let size = 0; size < naming.size; ) {
    size = naming.size
    for (const asset of site.assets) if (isNamed(asset)) naming.add(asset.source)
  }
  return { ...site, assets: site.assets.filter(isNamed) }
}

async function styleErrors(
  { name, settings }: Site,
  renderer: Pick<Renderer, 'cssIssue'>,
): Promise<readonly Diagnostic[]> {
  const css = settings.customCss ?? ''
  const issue = css === '' ? null : await renderer.cssIssue(idOf('proj', name), css)
  if (issue === null) return []
  const field = 'custom_css'
  return [diagnostic('QN-BAD-CSS', SITE_FILE, `${field} ${cssIssueText(issue)}`, { field })]
}

function themeErrors(
  { settings, pages }: Site,
  asked: Pick<ContentRequest, 'folder' | 'theme'>,
  themes: readonly string[],
): readonly Diagnostic[] {
  const chosen = [
    { file: SITE_FILE, at: asked.theme === null ? 'theme' : null, theme: settings.theme ?? null },
    ...pages.map((page) => ({ file: page.source, at: 'config.theme', theme: ownTheme(page) })),
  ]
  return chosen
    .filter(({ theme }) => theme !== null && !themes.includes(theme))
    .map(({ file, at, theme }) => {
      const message = `There is no theme ${JSON.stringify(theme)}. Available themes: ${themes.join(', ')}. Add others to themes/, or name their folder with --theme-folder.`
      const line =
        at === null ? null : lineFinder(file, readFileSync(join(asked.folder, file), 'utf8'))(at, undefined)
      return diagnostic('QN-UNKNOWN-THEME', file, message, { line, field: 'theme' })
    })
}

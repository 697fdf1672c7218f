import { readSite } from '../content-folder/read-site.ts'
import type { Site } from '../content-folder/site.ts'
import { PAGE_SLOTS } from '../domain/listing.ts'
import { fixturePage, listFixtures } from '../preview-site/gallery.ts'
import { createSiteMaker, type SiteNow } from '../preview-site/in-memory-site.ts'
import { makeFile } from '../preview-site/render-file.ts'
import { navPagePath } from '../render/docs/docs-nav.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { ThemeError } from '../theme/theme-error.ts'

export interface SpecimenFolders {
  /** A content folder with something of everything. */
  readonly site: string
  /** Sections as they may be written, each a folder. */
  readonly sections: string
}

/** A page to be rendered. */
export interface Specimen {
  /** For people: what it shows. */
  readonly title: string
  /** The template it begins with, e.g. `layouts/page.eta`. */
  readonly layout: string
  render(): Promise<RenderedSpecimen>
}

/** One of them is null. */
export interface RenderedSpecimen {
  readonly html: string | null
  readonly error: { readonly file: string; readonly line: number | null; readonly message: string } | null
}

/**
 * Every kind of page and every section, full, bare, overlong and from right to left, in a theme.
 *
 * @param ownTypes of sections that the theme has templates for, besides those of the catalogue.
 */
export async function specimens(
  { theme, ownTypes }: { readonly theme: string; readonly ownTypes: readonly string[] },
  renderer: Renderer,
  folders: SpecimenFolders,
): Promise<readonly Specimen[]> {
  const { site: content, errors } = await readSite(folders.site)
  if (errors[0] !== undefined) throw new Error(`${errors[0].file}: ${errors[0].message}`)
  const full = { ...content.settings, theme }
  const makeSite = createSiteMaker({ origin: 'https://specimen.example', now: EPOCH })
  const rich = await makeSite({ ...content, settings: full, pages: withMoreArticles(content.pages) })
  const bare = await makeSite({ ...content, settings: { theme } })
  const fixtures = (await listFixtures(folders.sections)).flatMap((section) => section.fixtures)
  return [
    ...pagesOf(rich, renderer),
    ...fixtures.map((name) => sectionsOf(name, theme, rich, renderer, folders.sections)),
    ...ownTypes.map((type) => sectionsOf(GENERIC, theme, rich, renderer, folders.sections, type)),
    ...pagesOf(bare, renderer),
  ]
}

/** Sections that no type of the catalogue fits are given what these are. */
const GENERIC = 'generic-comparison'

/** Times of these pages matter to nobody. */
const EPOCH = '1970-01-01T00:00:00.000Z'

/** So many that their list has three pages, one of them with neighbours on both sides. */
function withMoreArticles(pages: Site['pages']): Site['pages'] {
  const article = pages.find(({ type }) => type === 'article')
  if (article === undefined) return pages
  const more = Array.from({ length: 2 * PAGE_SLOTS }, (_, number) => ({
    ...article,
    slug: `${article.slug}-${number}`,
    source: `${number}-${article.source}`,
  }))
  return [...pages, ...more]
}

function isMore(source: string): boolean {
  return /^\d/.test(source)
}

function pagesOf(site: SiteNow, renderer: Renderer): readonly Specimen[] {
  const shown = { site, renderer, themes: new Map() }
  const own = site.pages
    .filter(({ written }) => !isMore(written.source))
    .map(({ facts }) => ({ path: facts.path, layout: facts.type }))
  const navPages = [...site.trees.keys()].map((home) => ({ path: navPagePath(home), layout: 'nav-page' }))
  const lists = ['/blog', '/blog/page/2'].map((path) => ({ path, layout: 'listing' }))
  const pages = [...own, ...navPages, ...lists].map(({ path, layout }) => ({
    path,
    layout,
    key: keyOf(path),
  }))
  return [...pages, { path: '/404.html', layout: 'not-found', key: '404.html' }].map(
    ({ path, layout, key }) => ({
      title: path,
      layout: `layouts/${layout}.eta`,
      async render() {
        const made = await makeFile(key, null, shown, () => null)
        const html = made?.body === undefined || made.body === null ? null : Buffer.from(made.body).toString()
        return { html, error: made?.errors[0] ?? null }
      },
    }),
  )
}

function keyOf(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}/index.html`
}

function sectionsOf(
  fixture: string,
  theme: string,
  site: SiteNow,
  renderer: Renderer,
  folder: string,
  type: string | null = null,
): Specimen {
  return {
    title: type === null ? `the sections of ${fixture}` : `a section of the type ${type}`,
    layout: 'layouts/page.eta',
    async render() {
      try {
        const live = await fixturePage(folder, fixture, theme, site, type)
        const { html } = await renderer.preview(live, { pages: '/', files: '/' })
        return { html, error: null }
      } catch (error) {
        if (!(error instanceof ThemeError)) throw error
        const { file, line, reason: message } = error
        return { html: null, error: { file, line, message } }
      }
    },
  }
}

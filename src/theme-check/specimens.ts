import { readSite } from '../content-folder/read-site.ts'
import type { Site } from '../content-folder/site.ts'
import type { JsonObject } from '../domain/json.ts'
import { PAGE_SLOTS } from '../domain/listing.ts'
import type { LivePage } from '../domain/live-page.ts'
import { componentPage, GENERIC_SAMPLE, listSamples, samplePage } from '../preview-site/gallery.ts'
import { createSiteBuilder, type InMemorySite } from '../preview-site/in-memory-site.ts'
import { renderFile } from '../preview-site/render-file.ts'
import { navPagePath } from '../render/docs/docs-nav.ts'
import type { Renderer } from '../renderer/renderer.ts'
import type { Theme } from '../theme/theme.ts'
import { ThemeError } from '../theme/theme-error.ts'

export interface SpecimenFolders {
  /** A content folder with every kind of page. */
  readonly site: string
  /** The section samples. */
  readonly sections: string
}

/** A page that the check renders. */
export interface Specimen {
  /** Describes the page in messages. */
  readonly title: string
  /** The template of the document, e.g. `layouts/page.eta`. */
  readonly layout: string
  render(): Promise<RenderedSpecimen>
}

/** Either the document or the error is null. */
export interface RenderedSpecimen {
  readonly html: string | null
  readonly error: { readonly file: string; readonly line: number | null; readonly message: string } | null
}

/**
 * Pages that show a theme completely: every kind of page and every section with full, minimal, overlong and
 * right-to-left content.
 *
 */
export async function specimens(
  {
    theme,
    samples: ownSamples,
    layouts,
    components,
  }: {
    readonly theme: string
    /** The components of the theme. */
    readonly components: Theme['components']
    /** The sample of each type of section that only the theme has; null for one without. */
    readonly samples: ReadonlyMap<string, JsonObject | null>
    /** Layouts that pages may choose. */
    readonly layouts: readonly string[]
  },
  renderer: Renderer,
  folders: SpecimenFolders,
): Promise<readonly Specimen[]> {
  const { site: whole, errors } = await readSite(folders.site)
  if (errors[0] !== undefined) throw new Error(`${errors[0].file}: ${errors[0].message}`)
  const content = { ...whole, pages: whole.pages.filter(({ source }) => source !== OWN_NOT_FOUND) }
  const full = { ...content.settings, theme }
  const buildSite = createSiteBuilder({ origin: 'https://specimen.example', now: EPOCH })
  const rich = await buildSite({ ...content, settings: full, pages: withMoreArticles(content.pages) })
  const bare = await buildSite({ ...content, settings: { theme } })
  const withOwnNotFound = await buildSite({ ...whole, settings: full })
  const chosen = layouts.map((layout) => ({ layout, pages: withLayout(content.pages, layout) }))
  const samples = (await listSamples(folders.sections)).flatMap((section) => section.samples)
  return [
    ...pagesOf(rich, renderer),
    ...samples.map((name) => sectionsOf(name, theme, rich, renderer, folders.sections)),
    ...[...ownSamples].map(([type, sample]) =>
      sectionsOf(GENERIC_SAMPLE, theme, rich, renderer, folders.sections, { type, sample }),
    ),
    ...[...components.keys()].map((name) =>
      previewOf(`the component ${name}`, renderer, async () =>
        componentPage(name, { name: theme, components }, rich),
      ),
    ),
    ...pagesOf(bare, renderer),
    fileOf('404.html', '/404.html with a text of its own', 'not-found', withOwnNotFound, renderer),
    ...(
      await Promise.all(
        chosen.map(async ({ layout, pages }) =>
          ownPagesOf(await buildSite({ ...content, settings: full, pages }), renderer, layout),
        ),
      )
    ).flat(),
  ]
}

/** The page for unknown paths of a site that has one. */
const OWN_NOT_FOUND = '404.md'

/** The pages in another layout than that of their type. */
function withLayout(pages: Site['pages'], layout: string): Site['pages'] {
  return pages.map((page) => ({ ...page, config: { ...page.config, layout } }))
}

/** These pages do not show their times. */
const EPOCH = '1970-01-01T00:00:00.000Z'

/** Adds articles, with a tag, until their listing has three pages: the middle one links in both directions. */
function withMoreArticles(pages: Site['pages']): Site['pages'] {
  const article = pages.find(({ type }) => type === 'article')
  if (article === undefined) return pages
  const more = Array.from({ length: 2 * PAGE_SLOTS }, (_, number) => ({
    ...article,
    slug: `${article.slug}-${number}`,
    source: `${number}-${article.source}`,
    ownFields: { ...article.ownFields, tags: ['Ferries'] },
  }))
  return [...pages, ...more]
}

function isMore(source: string): boolean {
  return /^\d/.test(source)
}

function pagesOf(site: InMemorySite, renderer: Renderer): readonly Specimen[] {
  const navPages = [...site.trees.keys()].map((home) => ({ path: navPagePath(home), layout: 'nav-page' }))
  const lists = ['/blog', '/blog/page/2', '/changes'].map((path) => ({ path, layout: 'listing' }))
  const tags = { path: '/blog/tags', layout: 'tags' }
  return [
    ...ownPagesOf(site, renderer, null),
    ...[...navPages, ...lists, tags].map(({ path, layout }) =>
      fileOf(keyOf(path), path, layout, site, renderer),
    ),
    fileOf('404.html', '/404.html', 'not-found', site, renderer),
  ]
}

/** @param layout the one that the pages chose; null for those of their types. */
function ownPagesOf(site: InMemorySite, renderer: Renderer, layout: string | null): readonly Specimen[] {
  return site.pages
    .filter(({ written }) => !isMore(written.source))
    .map(({ facts: { path, type } }) => {
      const title = layout === null ? path : `${path} in the layout ${layout}`
      return fileOf(keyOf(path), title, layout ?? type, site, renderer)
    })
}

function fileOf(
  key: string,
  title: string,
  layout: string,
  site: InMemorySite,
  renderer: Renderer,
): Specimen {
  return {
    title,
    layout: `layouts/${layout}.eta`,
    async render() {
      const rendered = await renderFile(key, null, { site, renderer, themes: new Map() }, () => null)
      const html =
        rendered?.body === undefined || rendered.body === null ? null : Buffer.from(rendered.body).toString()
      return { html, error: rendered?.errors[0] ?? null }
    },
  }
}

function keyOf(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}/index.html`
}

function sectionsOf(
  sample: string,
  theme: string,
  site: InMemorySite,
  renderer: Renderer,
  folder: string,
  own: { readonly type: string; readonly sample: JsonObject | null } | null = null,
): Specimen {
  const title = own === null ? `the sections of ${sample}` : `a section of type ${own.type}`
  return previewOf(title, renderer, () => samplePage(folder, sample, theme, site, own))
}

/** A document outside its site. */
function previewOf(title: string, renderer: Renderer, pageToShow: () => Promise<LivePage>): Specimen {
  return {
    title,
    layout: 'layouts/page.eta',
    async render() {
      try {
        const { html } = await renderer.preview(await pageToShow(), { pages: '/', files: '/' })
        return { html, error: null }
      } catch (error) {
        if (!(error instanceof ThemeError)) throw error
        const { file, line, reason: message } = error
        return { html: null, error: { file, line, message } }
      }
    },
  }
}

import { settingsOfLocale } from '../domain/by-locale.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { withoutOuterSlashes } from '../domain/end-slashes.ts'
import { fieldName } from '../domain/invalid-field.ts'
import { DEFAULT_SETTINGS, type DocsNavEntry } from '../domain/settings.ts'
import { languageOfScope, latestScope, namedBySlug, navScope } from '../domain/version.ts'
import { SITE_FILE } from './file-kind.ts'
import { addressText } from './parents.ts'
import type { Site, SitePage } from './site.ts'
import type { Path, YamlSource } from './yaml-source.ts'

/** Errors for entries of `docs_nav`, of the site and of its languages, that name no docs page or more than one. */
export function docsNavErrors(site: Site, placeOf: YamlSource['placeOf']): readonly Diagnostic[] {
  const docs = site.pages.filter(({ type }) => type === 'docs')
  const addresses = new Set(docs.map(addressText))
  const settings = { ...DEFAULT_SETTINGS, ...site.settings }
  const scopeOf = ({ subroute }: SitePage) => navScope(subroute, settings)
  const isMain = (page: SitePage) => scopeOf(page)?.isMain === true
  const errors = slugsIn(settings.docsNav, ['docs_nav']).flatMap(
    errorOf((slug) => namedIn(slug, docs, isMain)),
  )
  const inLanguages = settings.locales.flatMap((locale) => {
    const entries = settingsOfLocale(settings, locale).docs_nav ?? []
    const latest = latestScope(locale.code, settings)
    const isLatest = (page: SitePage) => scopeOf(page)?.name === latest
    const own = docs.filter((page) => {
      const scope = scopeOf(page)
      return scope !== null && languageOfScope(scope) === locale.code
    })
    // An entry may also name the page that it is a translation of.
    const find = (slug: string) => {
      const named = namedIn(slug, own, isLatest)
      return named.length > 0 ? named : namedIn(slug, docs, isMain)
    }
    return slugsIn(entries, ['by_locale', locale.code, 'docs_nav']).flatMap(errorOf(find))
  })
  return [...errors, ...inLanguages]

  function errorOf(find: (slug: string) => readonly SitePage[]) {
    return ({ slug, path }: { readonly slug: string; readonly path: Path }): readonly Diagnostic[] => {
      if (addresses.has(withoutOuterSlashes(slug))) return []
      const named = find(slug)
      if (named.length === 1) return []
      const field = fieldName(path)
      const message =
        named.length === 0
          ? `${field}: no docs page is called "${slug}".`
          : `${field}: ${named.length} docs pages have the slug "${slug}". Write the subroute as well.`
      return [diagnostic('QN-BAD-DOCS-NAV', SITE_FILE, message, { ...placeOf(path), field })]
    }
  }
}

function namedIn(
  slug: string,
  docs: readonly SitePage[],
  isMain: (page: SitePage) => boolean,
): readonly SitePage[] {
  return namedBySlug(
    docs.filter((page) => page.slug === slug),
    isMain,
  )
}

function slugsIn(entries: readonly DocsNavEntry[], at: Path): readonly { slug: string; path: Path }[] {
  return entries.flatMap(({ slug, children = [] }, index) => {
    const path = [...at, index]
    const own = slug === undefined ? [] : [{ slug, path: [...path, 'slug'] }]
    return [...own, ...slugsIn(children, [...path, 'children'])]
  })
}

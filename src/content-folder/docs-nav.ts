import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { fieldName } from '../domain/invalid-field.ts'
import type { DocsNavEntry } from '../domain/settings.ts'
import { SITE_FILE } from './file-kind.ts'
import { addressText } from './parents.ts'
import type { Site } from './site.ts'
import type { Path, YamlSource } from './yaml-source.ts'

/** Errors for entries of `docs_nav` that name no docs page, or more than one. */
export function docsNavErrors(site: Site, placeOf: YamlSource['placeOf']): readonly Diagnostic[] {
  const docs = site.pages.filter(({ type }) => type === 'docs')
  const addresses = new Set(docs.map(addressText))
  return slugsIn(site.settings.docsNav ?? [], ['docs_nav']).flatMap(({ slug, path }) => {
    if (addresses.has(slug.replace(/^\/+|\/+$/g, ''))) return []
    const named = docs.filter((page) => page.slug === slug)
    if (named.length === 1) return []
    const field = fieldName(path)
    const message =
      named.length === 0
        ? `${field}: no docs page is called "${slug}".`
        : `${field}: ${named.length} docs pages have the slug "${slug}". Write the subroute as well.`
    return [diagnostic('QN-BAD-DOCS-NAV', SITE_FILE, message, { ...placeOf(path), field })]
  })
}

function slugsIn(entries: readonly DocsNavEntry[], at: Path): readonly { slug: string; path: Path }[] {
  return entries.flatMap(({ slug, children = [] }, index) => {
    const path = [...at, index]
    const own = slug === undefined ? [] : [{ slug, path: [...path, 'slug'] }]
    return [...own, ...slugsIn(children, [...path, 'children'])]
  })
}

import { fieldName } from '../domain/field-fault.ts'
import type { DocsNavEntry } from '../domain/settings.ts'
import { addressText } from './parents.ts'
import type { Site, SiteFault } from './site.ts'
import { SITE_FILE } from './site-file.ts'
import type { Path, YamlSource } from './yaml-source.ts'

/** Entries of `docs_nav` that name no docs page of the site, or cannot say which of several. */
export function docsNavFaults(site: Site, placeOf: YamlSource['placeOf']): readonly SiteFault[] {
  const docs = site.pages.filter(({ type }) => type === 'docs')
  const addresses = new Set(docs.map(addressText))
  return slugsIn(site.settings.docsNav ?? [], ['docs_nav']).flatMap(({ slug, path }) => {
    if (addresses.has(slug.replace(/^\/+|\/+$/g, ''))) return []
    const named = docs.filter((page) => page.slug === slug)
    if (named.length === 1) return []
    const message =
      named.length === 0
        ? `"${slug}" is no docs page.`
        : `"${slug}" is the slug of ${named.length} docs pages.`
    return [{ file: SITE_FILE, ...placeOf(path), field: fieldName(path), message }]
  })
}

function slugsIn(entries: readonly DocsNavEntry[], at: Path): readonly { slug: string; path: Path }[] {
  return entries.flatMap(({ slug, children = [] }, index) => {
    const path = [...at, index]
    const own = slug === undefined ? [] : [{ slug, path: [...path, 'slug'] }]
    return [...own, ...slugsIn(children, [...path, 'children'])]
  })
}

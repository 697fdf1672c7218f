import type { Element, ElementContent } from 'hast'
import { AUTHOR_ID_PREFIX } from '../schema.ts'
import { isExternal } from '../urls.ts'
import { type Polishing, prefixedId, word } from './enhance-context.ts'

/** A link without a URL, or with one that is dropped, leaves what it was around. */
export function polishLink(link: Element, polishing: Polishing): readonly ElementContent[] {
  const { href, id } = link.properties
  if (typeof href !== 'string') return id === undefined ? link.children : [link]
  if (href.startsWith('#')) {
    nameBackReference(link, polishing)
    polishing.fragmentLinks.push(link)
    return [link]
  }

  const mapped = polishing.options.href(href, 'link')
  if (mapped === null) {
    polishing.droppedUrls.push(href)
    return link.children
  }
  link.properties['href'] = mapped
  if (isExternal(mapped)) link.properties['rel'] = ['external', 'noopener', 'noreferrer']
  return [link]
}

/** What leads back from a footnote was named in English, with the number of the reference at its end. */
function nameBackReference({ properties }: Element, polishing: Polishing): void {
  if (properties['dataFootnoteBackref'] === undefined) return
  const [number = ''] = /[\d-]*$/.exec(String(properties['ariaLabel'] ?? '')) ?? []
  properties['ariaLabel'] = word('backToReference', polishing).replace('{n}', number)
}

/**
 * Points links within the page at the ids their places ended up with. A link to what this body does
 * not have stays: the layout around it may.
 *
 * @returns where they lead, but for those of footnotes, which no author wrote.
 */
export function pointFragmentLinks(polishing: Polishing): readonly string[] {
  return polishing.fragmentLinks.flatMap(({ properties }) => {
    const written = String(properties['href']).slice(1)
    const footnote =
      properties['dataFootnoteRef'] !== undefined || properties['dataFootnoteBackref'] !== undefined
    const place = findPlace(written, footnote, polishing.ids)
    const href = `#${place === undefined ? written : prefixedId(place, polishing)}`
    properties['href'] = href
    return footnote ? [] : [href]
  })
}

/** Headings come first but for footnotes, which a heading may share its name with. */
function findPlace(fragment: string, footnote: boolean, ids: ReadonlySet<string>): string | undefined {
  const names = footnote ? [] : [fragment, decoded(fragment)]
  const authored = [fragment, decoded(fragment)].map((name) => `${AUTHOR_ID_PREFIX}${name}`)
  return [...names, ...authored].find((name) => ids.has(name))
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    // A stray percent sign: the name is meant as it is written.
    return fragment
  }
}

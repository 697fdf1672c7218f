import type { Element, ElementContent } from 'hast'
import { decoded } from '../../../domain/author-url.ts'
import { AUTHOR_ID_PREFIX } from '../schema.ts'
import { isExternal } from '../urls.ts'
import { type EnhanceContext, label, prefixedId } from './enhance-context.ts'
import { hasPlayer, withoutPlayers } from './player.ts'

/**
 * Maps the URL of a link. Players in it are replaced by their names. A link without a URL, or whose URL is dropped, is
 * replaced by its content.
 */
export function enhanceLink(link: Element, context: EnhanceContext): readonly ElementContent[] {
  const { href, id } = link.properties
  if (hasPlayer(link.children, context)) link.children = withoutPlayers(link.children, context)
  if (typeof href !== 'string') return id === undefined ? link.children : [link]
  if (href.startsWith('#')) {
    nameBackReference(link, context)
    context.fragmentLinks.push(link)
    return [link]
  }

  const mapped = context.options.href(href, 'link')
  if (mapped === null) {
    context.droppedUrls.push(href)
    return link.children
  }
  link.properties['href'] = mapped
  if (isExternal(mapped) && !isOwn(href)) link.properties['rel'] = ['external', 'noopener', 'noreferrer']
  return [link]
}

/** A root-relative link leads to the site itself, also in documents that need it absolute, such as `404.html`. */
function isOwn(href: string): boolean {
  return href.startsWith('/') && !isExternal(href)
}

/**
 * Translates the label of a footnote's back link; remark-rehype wrote it in English, with the reference's
 * number at its end.
 */
function nameBackReference({ properties }: Element, context: EnhanceContext): void {
  if (properties['dataFootnoteBackref'] === undefined) return
  const [number = ''] = /(?<![\d-])[\d-]*$/.exec(String(properties['ariaLabel'] ?? '')) ?? []
  properties['ariaLabel'] = label('backToReference', context).replace('{n}', number)
}

/**
 * Points links within the page at the final ids. Unknown targets are left alone, because the layout may have
 * them.
 *
 * @returns the targets of all such links except footnote links, which no author wrote.
 */
export function resolveFragmentLinks(context: EnhanceContext): readonly string[] {
  return context.fragmentLinks.flatMap(({ properties }) => {
    const written = String(properties['href']).slice(1)
    const footnote =
      properties['dataFootnoteRef'] !== undefined || properties['dataFootnoteBackref'] !== undefined
    const place = findTargetId(written, footnote, context.usedIds)
    const href = `#${place === undefined ? written : prefixedId(place, context)}`
    properties['href'] = `${context.options.pageUrl ?? ''}${href}`
    return footnote ? [] : [href]
  })
}

/** Prefers headings, except for footnote links: a heading may have the same name as a footnote. */
function findTargetId(fragment: string, footnote: boolean, ids: ReadonlySet<string>): string | undefined {
  const names = footnote ? [] : [fragment, decoded(fragment)]
  const authored = [fragment, decoded(fragment)].map((name) => `${AUTHOR_ID_PREFIX}${name}`)
  return [...names, ...authored].find((name) => ids.has(name))
}

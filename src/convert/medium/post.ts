import type { Element } from 'hast'
import { parseUrl } from '../../domain/parse-url.ts'
import { attribute, first, lineOf } from '../html/elements.ts'
import { parseHtml } from '../html/parse-html.ts'

/**
 * A post of an export of Medium: a page with an entry of microformats.
 * Source: https://microformats.org/wiki/h-entry.
 */
export interface MediumPost {
  /** The number of the post in Medium, in hexadecimal. Empty when its file does not say it. */
  readonly id: string
  readonly title: string
  readonly subtitle: string
  /** Time of publication, in ISO 8601 UTC. Null for a draft. */
  readonly date: string | null
  readonly author: { readonly name: string; readonly url: string }
  /** Address of the post on its site. Null for a draft. */
  readonly canonical: URL | null
  readonly body: Element
}

/** Reads the file of a post. Null for another page, or for HTML that is too complex. */
export function readMediumPost(name: string, html: string): MediumPost | null {
  const tree = parseHtml(html)
  const entry = tree === null ? null : first(tree, '.h-entry')
  const body = entry === null ? null : first(entry, '.e-content')
  if (entry === null || body === null) return null
  const textIn = (selector: string) => lineOf(first(entry, selector) ?? { type: 'text', value: '' })
  const attributeIn = (selector: string, property: string) => {
    const found = first(entry, selector)
    return found === null ? '' : attribute(found, property)
  }
  const date = new Date(attributeIn('.dt-published', 'dateTime'))
  const canonical = attributeIn('.p-canonical', 'href')
  return {
    id: /[-_]([\da-f]{8,16})\.html$/.exec(name)?.[1] ?? '',
    title: textIn('.p-name'),
    subtitle: textIn('.p-summary'),
    date: Number.isNaN(date.getTime()) ? null : date.toISOString(),
    author: { name: textIn('.p-author'), url: attributeIn('.p-author', 'href') },
    canonical: /^https?:/.test(canonical) ? parseUrl(canonical) : null,
    body,
  }
}

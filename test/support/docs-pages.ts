import { ID_ALPHABET, ID_LENGTH, type PageId } from '../../src/domain/ids.ts'
import type { LiveFacts } from '../../src/domain/live-page.ts'
import { publicPath } from '../../src/domain/route.ts'

/** The nth id, for pages that need different ones. */
export function pageId(n: number): PageId {
  const base = ID_ALPHABET.length
  const digits = [...n.toString(base)].map((digit) => ID_ALPHABET[Number.parseInt(digit, base)] ?? '')
  return digits.join('').padStart(ID_LENGTH, ID_ALPHABET[0]) as PageId
}

/** A live docs page. Title, slug and path follow from `n` unless they are given. */
export function docsPage(n: number, facts: Partial<LiveFacts> = {}): LiveFacts {
  const address = { slug: `page-${n}`, subroute: 'docs', ...facts }
  return {
    id: pageId(n),
    title: `Page ${n}`,
    type: 'docs',
    path: publicPath(address, {}),
    navOrder: 0,
    parentPage: null,
    badge: null,
    ...address,
  }
}

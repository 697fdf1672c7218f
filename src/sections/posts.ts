import { COLLECTION_SORTS, GROUPINGS, SHOWN_PARTS } from '../domain/collection.ts'
import { PAGE_TYPES } from '../domain/page.ts'
import { boolean, choice, list, number, type Props, type SectionType, token } from './prop.ts'

const MAX_POSTS = 50

const SHOWS: Props = Object.fromEntries(SHOWN_PARTS.map((part) => [`show_${part}`, boolean()]))

/** Lists other pages of the site. Which ones is known only when the site is published. */
export const posts: SectionType = {
  name: 'posts',
  aliases: ['latest-posts', 'articles', 'articles-grid', 'items-grid', 'items-list', 'blog', 'collection'],
  shape: {
    props: {
      subroute: token(),
      page_type: choice(PAGE_TYPES),
      limit: number(1, MAX_POSTS),
      sort: choice(COLLECTION_SORTS),
      reverse: boolean(),
      tags: list(token(), 'tag'),
      author: token(),
      group_by: choice(GROUPINGS),
      ...SHOWS,
    },
    requires: [],
    shorthand: null,
  },
}

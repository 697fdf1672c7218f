import { readSubroute } from '../../domain/route.ts'
import { groupingIn } from '../../sections/collection-query.ts'
import { textIn } from '../../sections/values.ts'
import type { PostsProps } from '../../theme/view.ts'
import { postGroups, postLayout, postViews } from '../listing/post-views.ts'
import type { Rendering } from '../page/rendering.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function postsView({ section, posts, at, lang }: PlacedSection, rendering: Rendering): TypeView {
  const subroute = textIn(section.props, 'subroute')
  if (subroute !== null && readSubroute(subroute, 'wide') === null)
    rendering.warn({
      code: 'QN-BAD-PROP',
      at: `${at}.subroute`,
      message: 'subroute is not a valid subroute.',
    })
  const views = postViews(posts, lang, rendering)
  const props: PostsProps = {
    posts: views,
    groups: postGroups(views, groupingIn(section.props), lang),
    layout: postLayout(views),
  }
  return { props, align: 'left' }
}

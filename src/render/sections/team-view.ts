import { objectIn, textIn } from '../../sections/values.ts'
import type { MemberView, TeamProps } from '../../theme/view.ts'
import { imageView } from '../page/image-view.ts'
import { blockHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { namedLinkViews, type PlacedItem, placedItems } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function teamView(placed: PlacedSection, rendering: Rendering): TypeView {
  const props: TeamProps = {
    members: placedItems(placed, 'members').map((member) => memberView(member, rendering)),
  }
  return { props, align: 'left' }
}

function memberView({ item, at, id }: PlacedItem, rendering: Rendering): MemberView {
  return {
    name: textIn(item, 'name'),
    role: textIn(item, 'role'),
    avatar: imageView(objectIn(item, 'avatar'), `${at}.avatar`, rendering),
    html: blockHtml({ props: item, name: 'bio', at, id }, rendering),
    links: namedLinkViews(item, at, rendering),
  }
}

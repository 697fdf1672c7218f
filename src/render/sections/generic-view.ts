import type { GenericProps } from '../../theme/view.ts'
import { blockHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { cardViews } from './card-views.ts'
import { imageIn, textProp } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function genericView(placed: PlacedSection, rendering: Rendering): TypeView {
  const props: GenericProps = {
    html: blockHtml(textProp(placed, 'body'), rendering),
    image: imageIn(placed, 'image', rendering),
    items: cardViews(placed, rendering),
  }
  return { props, align: 'left' }
}

import { numberIn, textIn } from '../../sections/values.ts'
import type { FaqProps } from '../../theme/view.ts'
import { blockHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { placedItems } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function faqView(placed: PlacedSection, rendering: Rendering): TypeView {
  const items = placedItems(placed, 'items').map(({ item, at, id }) => ({
    question: textIn(item, 'question'),
    html: blockHtml({ props: item, name: 'answer', at, id }, rendering),
  }))
  const props: FaqProps = {
    items: items.filter(({ question, html }) => question !== null || html !== null),
    openFirst: placed.section.props['open_first'] === true,
    columns: numberIn(placed.section.props, 'columns') === 2 ? 2 : 1,
  }
  return { props, align: 'left' }
}

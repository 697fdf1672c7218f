import { textIn } from '../../sections/values.ts'
import type { StepsProps } from '../../theme/view.ts'
import type { Rendering } from '../page/rendering.ts'
import { cardView } from './card-views.ts'
import { placedItems } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function stepsView(placed: PlacedSection, rendering: Rendering): TypeView {
  const items = placedItems(placed, 'items').map((placedItem) => ({
    ...cardView(placedItem, rendering),
    date: textIn(placedItem.item, 'date'),
  }))
  const props: StepsProps = {
    items: items.filter(({ title, html, image, date }) =>
      [title, html, image, date].some((part) => part !== null),
    ),
    numbered: placed.section.props['numbered'] !== false,
  }
  return { props, align: 'left' }
}

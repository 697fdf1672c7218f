import { figureText } from '../../sections/stats.ts'
import { textIn } from '../../sections/values.ts'
import type { StatsProps } from '../../theme/view.ts'
import type { Rendering } from '../page/rendering.ts'
import { iconView } from './icon-view.ts'
import { placedItems } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function statsView(placed: PlacedSection, rendering: Rendering): TypeView {
  const items = placedItems(placed, 'items').map(({ item, at }) => ({
    figure: figureText(item),
    label: textIn(item, 'label'),
    ...iconView(item, at, rendering),
  }))
  const props: StatsProps = { items: items.filter(({ figure }) => figure !== null) }
  return { props, align: 'left' }
}

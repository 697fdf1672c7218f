import { figureText } from '../../sections/stats.ts'
import { textIn } from '../../sections/values.ts'
import type { StatsProps } from '../../theme/view.ts'
import { isShownIcon, placedItems } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function statsView(placed: PlacedSection): TypeView {
  const items = placedItems(placed, 'items').map(({ item }) => {
    const icon = textIn(item, 'icon')
    return {
      figure: figureText(item),
      label: textIn(item, 'label'),
      icon: icon !== null && isShownIcon(icon) ? icon : null,
    }
  })
  const props: StatsProps = { items: items.filter(({ figure }) => figure !== null) }
  return { props, align: 'left' }
}

import { LOGO_LAYOUTS, LOGO_TONES } from '../../sections/logos.ts'
import { choiceIn, textIn } from '../../sections/values.ts'
import type { LogosProps } from '../../theme/view.ts'
import { imageView } from '../page/image-view.ts'
import type { Rendering } from '../page/rendering.ts'
import { placedItems, targetIn } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function logosView(placed: PlacedSection, rendering: Rendering): TypeView {
  const items = placedItems(placed, 'items').map(({ item, at }) => {
    const name = textIn(item, 'name') ?? textIn(item, 'alt') ?? ''
    const image = imageView(item, at, rendering)
    const target = targetIn(item, at, rendering)
    return {
      name,
      image: image === null ? null : { ...image, alt: name },
      href: target?.href ?? null,
      external: target?.external ?? false,
    }
  })
  const props: LogosProps = {
    items: items.filter(({ name, image }) => name !== '' || image !== null),
    layout: choiceIn(placed.section.props, 'layout', LOGO_LAYOUTS) ?? 'row',
    tone: choiceIn(placed.section.props, 'tone', LOGO_TONES) ?? 'original',
    grayscale: placed.section.props['grayscale'] === true,
  }
  return { props, align: 'center' }
}

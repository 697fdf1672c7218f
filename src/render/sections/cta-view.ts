import { CTA_LAYOUTS } from '../../sections/cta.ts'
import { choiceIn } from '../../sections/values.ts'
import type { CtaProps } from '../../theme/view.ts'
import type { Rendering } from '../page/rendering.ts'
import { imageIn } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function ctaView(placed: PlacedSection, rendering: Rendering): TypeView {
  const image = imageIn(placed, 'image', rendering)
  const defaultLayout = image === null ? 'banner' : 'split'
  const layout = choiceIn(placed.section.props, 'layout', CTA_LAYOUTS) ?? defaultLayout
  const props: CtaProps = { image, layout }
  return { props, align: layout === 'split' ? 'left' : 'center' }
}

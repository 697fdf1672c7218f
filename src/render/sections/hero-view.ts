import { HERO_LAYOUTS } from '../../sections/hero.ts'
import { choiceIn } from '../../sections/values.ts'
import type { HeroProps } from '../../theme/view.ts'
import { inlineHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { imageIn, textProp, videoUrl } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function heroView(placed: PlacedSection, rendering: Rendering): TypeView {
  const image = imageIn(placed, 'image', rendering)
  const video = videoUrl(placed, rendering)
  const defaultLayout = image !== null || video !== null ? 'split' : 'center'
  const layout = choiceIn(placed.section.props, 'layout', HERO_LAYOUTS) ?? defaultLayout
  const props: HeroProps = { image, video, layout, noteHtml: inlineHtml(textProp(placed, 'note'), rendering) }
  return { props, align: layout === 'split' ? 'left' : 'center' }
}

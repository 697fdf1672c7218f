import { HERO_FRAMES, HERO_LAYOUTS, TITLE_STYLES } from '../../sections/hero.ts'
import { choiceIn } from '../../sections/values.ts'
import type { HeroProps } from '../../theme/view.ts'
import { blockHtml, inlineHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { imageIn, textProp, videoUrl } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function heroView(placed: PlacedSection, rendering: Rendering): TypeView {
  const image = imageIn(placed, 'image', rendering)
  const video = videoUrl(placed, rendering)
  const codeHtml = blockHtml(textProp(placed, 'code'), rendering)
  const defaultLayout = image !== null || video !== null || codeHtml !== null ? 'split' : 'center'
  const layout = choiceIn(placed.section.props, 'layout', HERO_LAYOUTS) ?? defaultLayout
  const { props: written } = placed.section
  const props: HeroProps = {
    image,
    video,
    codeHtml,
    layout,
    frame: choiceIn(written, 'frame', HERO_FRAMES) ?? 'none',
    titleStyle: choiceIn(written, 'title_style', TITLE_STYLES) ?? 'plain',
    noteHtml: inlineHtml(textProp(placed, 'note'), rendering),
  }
  return { props, align: layout === 'split' ? 'left' : 'center' }
}

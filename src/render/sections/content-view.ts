import { IMAGE_POSITIONS } from '../../sections/content.ts'
import { choiceIn } from '../../sections/values.ts'
import type { ContentProps } from '../../theme/view.ts'
import { blockHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { imageIn, textProp, videoUrl } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function contentView(placed: PlacedSection, rendering: Rendering): TypeView {
  const image = imageIn(placed, 'image', rendering)
  const video = videoUrl(placed, rendering)
  const wanted = choiceIn(placed.section.props, 'image_position', IMAGE_POSITIONS) ?? 'right'
  const props: ContentProps = {
    html: placed.bodyHtml ?? blockHtml(textProp(placed, 'body'), rendering),
    image: wanted === 'none' ? null : image,
    video,
    imagePosition: image === null && video === null ? 'none' : wanted === 'none' ? 'top' : wanted,
  }
  return { props, align: 'left' }
}

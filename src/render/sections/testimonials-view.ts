import { TESTIMONIAL_LAYOUTS } from '../../sections/testimonials.ts'
import { choiceIn, numberIn, objectIn, textIn } from '../../sections/values.ts'
import type { TestimonialsProps, TestimonialView } from '../../theme/view.ts'
import { imageView } from '../page/image-view.ts'
import { blockHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { type PlacedItem, placedItems, targetIn } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function testimonialsView(placed: PlacedSection, rendering: Rendering): TypeView {
  const props: TestimonialsProps = {
    items: placedItems(placed, 'items')
      .map((item) => testimonialView(item, rendering))
      .filter(({ html }) => html !== null),
    layout: choiceIn(placed.section.props, 'layout', TESTIMONIAL_LAYOUTS) ?? 'grid',
  }
  return { props, align: props.items.length === 1 ? 'center' : 'left' }
}

function testimonialView({ item, at, id }: PlacedItem, rendering: Rendering): TestimonialView {
  const target = targetIn(item, at, rendering)
  const position = [textIn(item, 'role'), textIn(item, 'company')].filter((part) => part !== null)
  return {
    html: blockHtml({ props: item, name: 'quote', at, id }, rendering),
    name: textIn(item, 'name'),
    position: position.length === 0 ? null : position.join(' · '),
    avatar: imageView(objectIn(item, 'avatar'), `${at}.avatar`, rendering),
    rating: numberIn(item, 'rating'),
    href: target?.href ?? null,
    external: target?.external ?? false,
  }
}

import { objectIn, textIn } from '../../sections/values.ts'
import type { CardView } from '../../theme/view.ts'
import { imageView } from '../page/image-view.ts'
import { blockHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { iconView } from './icon-view.ts'
import { type PlacedItem, placedItems, targetIn } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'

/** Cards for the `items` of a section, without empty ones. */
export function cardViews(placed: PlacedSection, rendering: Rendering): CardView[] {
  return placedItems(placed, 'items')
    .map((item) => cardView(item, rendering))
    .filter(({ title, html, image, href }) => [title, html, image, href].some((part) => part !== null))
}

export function cardView({ item, at, id }: PlacedItem, rendering: Rendering): CardView {
  const target = targetIn(item, at, rendering)
  return {
    title: textIn(item, 'title'),
    html: blockHtml({ props: item, name: 'description', at, id }, rendering),
    ...iconView(item, at, rendering),
    image: imageView(objectIn(item, 'image'), `${at}.image`, rendering),
    href: target?.href ?? null,
    linkText: target === null ? null : textIn(item, 'link_text'),
    external: target?.external ?? false,
    wide: item['wide'] === true,
  }
}

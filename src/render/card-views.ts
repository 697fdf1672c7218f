import type { JsonObject } from '../domain/json.ts'
import { looksLikeUrl } from '../sections/read-prop.ts'
import type { CardView } from '../theme/view.ts'
import { imageView } from './image-view.ts'
import { leadsAway } from './links.ts'
import type { PlacedSection } from './placed-section.ts'
import { blockHtml } from './prop-html.ts'
import { objectIn, objectsIn, textIn } from './props.ts'
import type { Rendering } from './rendering.ts'

/** The `items` of a section, those left out that have nothing to show. */
export function cardViews({ section, at, id }: PlacedSection, rendering: Rendering): CardView[] {
  return objectsIn(section.props, 'items')
    .map((item, index) => cardView(item, `${at}.items[${index}]`, `${id}-${index + 1}`, rendering))
    .filter(({ title, html, image, href }) => [title, html, image, href].some((part) => part !== null))
}

function cardView(item: JsonObject, at: string, id: string, rendering: Rendering): CardView {
  const link = textIn(item, 'link')
  const href = link === null ? null : rendering.url(link, 'link', `${at}.link`)
  const icon = textIn(item, 'icon')
  const drawn = icon !== null && looksLikeUrl(icon) ? { src: icon } : null
  return {
    title: textIn(item, 'title'),
    html: blockHtml({ props: item, name: 'description', at, id }, rendering),
    icon: icon !== null && isShownIcon(icon) ? icon : null,
    image: imageView(objectIn(item, 'image') ?? drawn, `${at}.image`, rendering),
    href,
    linkText: href === null ? null : textIn(item, 'link_text'),
    external: link !== null && leadsAway(link),
  }
}

/** An emoji, a number, a letter or two; not the name of an icon in a set we do not have, e.g. `rocket`. */
function isShownIcon(icon: string): boolean {
  return [...icon].length <= 8 && !/^[a-z][\w:-]{2,}$/i.test(icon) && !looksLikeUrl(icon)
}

import type { JsonObject } from '../../domain/json.ts'
import { isPicture } from '../../domain/media.ts'
import { LOGO_LAYOUTS, LOGO_TONES } from '../../sections/logos.ts'
import { choiceIn, textIn } from '../../sections/values.ts'
import type { LogosProps } from '../../theme/view.ts'
import { namedFile } from '../links/links.ts'
import { imageView } from '../page/image-view.ts'
import type { Rendering } from '../page/rendering.ts'
import { placedItems, targetIn } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

export function logosView(placed: PlacedSection, rendering: Rendering): TypeView {
  const tone = choiceIn(placed.section.props, 'tone', LOGO_TONES) ?? 'original'
  const items = placedItems(placed, 'items').map(({ item, at }) => {
    if (tone === 'original') warnIfDark(item, at, rendering)
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
    tone,
    grayscale: placed.section.props['grayscale'] === true,
  }
  return { props, align: 'center' }
}

/** A dark logo on a transparent ground cannot be seen on dark pages. */
function warnIfDark(item: JsonObject, at: string, rendering: Rendering): void {
  const src = textIn(item, 'src')
  const file = src === null ? null : namedFile(src, rendering.links.media)
  if (src === null || file === null || !isPicture(file) || file.isDark !== true) return
  if (!rendering.mayBeDark || textIn(item, 'dark') !== null) return
  const message = `${JSON.stringify(src.slice(0, 200))} has dark colours only and cannot be seen on dark pages. Write "tone: mono" in the section, or the address of a light one as "dark" of the logo.`
  rendering.warn({ code: 'QN-DARK-LOGO', at: `${at}.src`, written: src.slice(0, 200), message })
}

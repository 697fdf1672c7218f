import type { JsonObject } from '../../domain/json.ts'
import { looksLikeUrl } from '../../sections/read-prop.ts'
import { textIn } from '../../sections/values.ts'
import type { CardView } from '../../theme/view.ts'
import { drawnIcon, nearestIcon } from '../icons/drawn-icon.ts'
import type { Rendering } from '../page/rendering.ts'
import { xmlText } from '../site-files/xml.ts'

export type SectionIcon = Pick<CardView, 'icon' | 'iconHtml'>

export const NO_ICON: SectionIcon = { icon: null, iconHtml: null }

/**
 * The icon of an object: a short text, a name of Lucide or the address of an image. Others are left out, with a
 * warning.
 *
 * @param at location of the object in the content.
 */
export function iconView(props: JsonObject, at: string, rendering: Rendering): SectionIcon {
  const written = textIn(props, 'icon')?.trim() ?? ''
  const known = written === '' ? NO_ICON : knownIcon(written, `${at}.icon`, rendering)
  if (known !== null) return known
  const what = written.startsWith('<')
    ? 'SVG is not read here. Save it as a file and write its address, or a name of Lucide.'
    : `There is no icon ${JSON.stringify(written.slice(0, 50))}.${nearestIcon(written)} Names of icons are at https://lucide.dev/icons.`
  rendering.warn({ code: 'QN-UNKNOWN-ICON', at: `${at}.icon`, written: written.slice(0, 100), message: what })
  return NO_ICON
}

/** Like `iconView`, null for an icon that it does not know. */
export function knownIcon(written: string, at: string, rendering: Rendering): SectionIcon | null {
  if (isText(written)) return { icon: written, iconHtml: xmlText(written) }
  if (looksLikeUrl(written)) {
    const src = rendering.url(written, 'image', at)
    return src === null ? NO_ICON : { icon: null, iconHtml: picture(src) }
  }
  const drawing = written.startsWith('<') ? null : drawnIcon(written)
  return drawing === null ? null : { icon: null, iconHtml: drawing }
}

/** True for `rocket`, and for names of companies, most of which have no drawing. */
export function isIconName(written: string): boolean {
  return !isText(written) && !looksLikeUrl(written) && !written.startsWith('<')
}

/** True for an emoji, a number or a letter or two. False for names such as `rocket`. */
function isText(icon: string): boolean {
  return (
    [...icon].length <= 8 && !/^[a-z][\w:-]{2,}$/i.test(icon) && !/[<>]/.test(icon) && !looksLikeUrl(icon)
  )
}

function picture(src: string): string {
  return `<img class="icon" src="${xmlText(src)}" alt="" width="24" height="24" sizes="24px" loading="lazy" decoding="async">`
}

import type { JsonObject } from '../../domain/json.ts'
import { VARIANTS } from '../../sections/common.ts'
import { choiceIn, objectIn, objectsIn, textIn } from '../../sections/values.ts'
import type { ActionView, ImageView, NamedLinkView } from '../../theme/view.ts'
import { isExternalUrl } from '../links/links.ts'
import { imageView } from '../page/image-view.ts'
import type { TextProp } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { iconView, isIconName, knownIcon, NO_ICON } from './icon-view.ts'
import type { PlacedSection } from './placed-section.ts'

/** An item of a section, its location in the content and its HTML id. */
export interface PlacedItem {
  readonly item: JsonObject
  /** Location in the content, e.g. `config.sections[2].items[0]`. */
  readonly at: string
  /** HTML id, used as prefix of the ids in its HTML. */
  readonly id: string
}

export function placedItems({ section, at, id }: PlacedSection, name: string): readonly PlacedItem[] {
  return objectsIn(section.props, name).map((item, index) => ({
    item,
    at: `${at}.${name}[${index}]`,
    id: `${id}-${index + 1}`,
  }))
}

/** Empty for an action without a text or a valid target. */
export function actionViews(
  action: JsonObject,
  fitting: ActionView['variant'],
  at: string,
  rendering: Rendering,
): ActionView[] {
  const text = textIn(action, 'text')
  const target = targetIn(action, at, rendering)
  if (text === null || target === null) return []
  const variant = choiceIn(action, 'variant', VARIANTS) ?? fitting
  return [{ ...target, text, variant, ...iconView(action, at, rendering) }]
}

/** Named links, e.g. of a person, without links to forbidden targets. */
export function namedLinkViews(props: JsonObject, at: string, rendering: Rendering): NamedLinkView[] {
  return objectsIn(props, 'links').flatMap((place, index) => {
    const target = targetIn(place, `${at}.links[${index}]`, rendering)
    if (target === null) return []
    const written = textIn(place, 'icon')
    const icon = written === null ? null : knownIcon(written, `${at}.links[${index}].icon`, rendering)
    const named = written !== null && isIconName(written) ? capitalised(written) : null
    return [
      {
        ...target,
        ...(icon ?? NO_ICON),
        label: textIn(place, 'label') ?? named ?? bareAddress(textIn(place, 'link') ?? ''),
      },
    ]
  })
}

/** Target of the object's `link`; null when there is none or it is not allowed. */
export function targetIn(
  props: JsonObject,
  at: string,
  rendering: Rendering,
): { readonly href: string; readonly external: boolean } | null {
  const link = textIn(props, 'link')
  const href = link === null ? null : rendering.url(link, 'link', `${at}.link`)
  return link === null || href === null ? null : { href, external: isExternalUrl(link) }
}

export function imageIn(
  { section, at }: PlacedSection,
  name: string,
  rendering: Rendering,
): ImageView | null {
  return imageView(objectIn(section.props, name), `${at}.${name}`, rendering)
}

/** Pages of services without an address for the video itself. */
const PAGE_OF_VIDEO =
  /^(?:https?:)?\/\/(?:[\w-]+\.)?(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|loom\.com)\//i

export function videoUrl({ section, at }: PlacedSection, rendering: Rendering): string | null {
  const video = textIn(section.props, 'video')
  if (video !== null && PAGE_OF_VIDEO.test(video)) {
    const message = `${JSON.stringify(video.slice(0, 200))} is a page with a player, not a video. Write the address of a video, or show the player with ::youtube, ::vimeo or ::embed in a text.`
    rendering.warn({ code: 'QN-NOT-A-VIDEO', at: `${at}.video`, written: video.slice(0, 200), message })
    return null
  }
  return video === null ? null : rendering.url(video, 'image', `${at}.video`)
}

export function textProp({ section, at, id }: PlacedSection, name: string): TextProp {
  return { props: section.props, name, at, id }
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Shortens an address for display: `https://www.example.com/` becomes `example.com`. */
export function bareAddress(url: string): string {
  return url
    .trim()
    .replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/i, '')
    .replace(/\/$/, '')
}

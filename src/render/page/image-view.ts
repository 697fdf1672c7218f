import type { JsonObject } from '../../domain/json.ts'
import { numberIn, textIn } from '../../sections/values.ts'
import type { ImageView } from '../../theme/view.ts'
import type { Rendering } from './rendering.ts'

/**
 * @param image with canonical prop names; see `IMAGE` in the catalogue.
 * @param at location in the content, for warnings.
 * @returns null when it has no allowed source.
 */
export function imageView(image: JsonObject | null, at: string, rendering: Rendering): ImageView | null {
  const src = image === null ? null : imageUrl(image, 'src', at, rendering)
  if (image === null || src === null) return null
  return {
    src,
    alt: textIn(image, 'alt') ?? '',
    width: numberIn(image, 'width'),
    height: numberIn(image, 'height'),
    dark: imageUrl(image, 'dark', at, rendering),
  }
}

function imageUrl(image: JsonObject, name: 'src' | 'dark', at: string, { url }: Rendering): string | null {
  const raw = textIn(image, name)
  return raw === null ? null : url(raw, 'image', `${at}.${name}`)
}

import type { ImageFocus } from './image.ts'
import { MEDIA_PREFIX } from './media.ts'

/** Size of images of link previews, which all services take. Source: https://ogp.me. */
export const SOCIAL_SIZE = { width: 1200, height: 630 } as const

/** The social image of a page, in the media that its snapshot names. Content cannot name it so. */
export const SOCIAL_PATH = '_social:picture'

/** Pages of a site that get a card each. Drawing one takes some 40 ms, and pages of a larger site share one. */
const MAX_CARDS = 300

/** Increases whenever the same recipe gives another image. */
const SOCIAL_VERSION = 1

/** A recipe of a social image: from an image that a page or its site names, or from words. Plain JSON. */
export type SocialRecipe =
  | {
      readonly kind: 'crop'
      /** SHA-256 of the published original, hex. */
      readonly digest: string
      /** The part that the crop keeps; null for the middle. */
      readonly focus: ImageFocus | null
    }
  | ({ readonly kind: 'card' } & SocialCard)

export interface SocialCard {
  readonly title: string
  readonly siteName: string
  /** `#rrggbb`. */
  readonly background: string
  readonly foreground: string
}

/** Identifies a recipe: its SHA-256 is the name of the image. */
export function socialText(recipe: SocialRecipe): string {
  const { kind } = recipe
  if (kind === 'card')
    return JSON.stringify([
      SOCIAL_VERSION,
      kind,
      recipe.title,
      recipe.siteName,
      recipe.background,
      recipe.foreground,
    ])
  const { digest, focus } = recipe
  return JSON.stringify([SOCIAL_VERSION, kind, digest, ...(focus === null ? [] : [focus.x, focus.y])])
}

/** Returns the words on the card of a page. @param pages the number of pages of its site. */
export function cardWords(
  { title }: { readonly title: string },
  siteName: string,
  pages: number,
): Pick<SocialCard, 'title' | 'siteName'> {
  return { title: pages > MAX_CARDS ? siteName : title, siteName }
}

/** The published key of a social image. @param digest SHA-256 of `socialText`, hex. */
export function socialKey({ kind }: Pick<SocialRecipe, 'kind'>, digest: string): string {
  return `${MEDIA_PREFIX}social.${digest.slice(0, 16)}.${kind === 'crop' ? 'jpg' : 'png'}`
}

import { MEDIA_PREFIX } from './media.ts'

/** What link previews show: https://ogp.me, and the size that all of them take. */
export const SOCIAL_SIZE = { width: 1200, height: 630 } as const

/** The social picture of a page, in the media that its snapshot names. Content cannot name it so. */
export const SOCIAL_PATH = '_social:picture'

/** Increases whenever the same recipe gives another picture. */
const SOCIAL_VERSION = 1

/** How a social picture is made: from a picture that a page or its site names, or from words. Plain JSON. */
export type SocialRecipe =
  | { readonly kind: 'crop' /** SHA-256 of the published original, hex. */; readonly digest: string }
  | ({ readonly kind: 'card' } & SocialCard)

export interface SocialCard {
  readonly title: string
  readonly siteName: string
  /** `#rrggbb`. */
  readonly background: string
  readonly foreground: string
}

/** Identifies a recipe: its SHA-256 is the name of the picture. */
export function socialText(recipe: SocialRecipe): string {
  const { kind } = recipe
  return JSON.stringify(
    kind === 'crop'
      ? [SOCIAL_VERSION, kind, recipe.digest]
      : [SOCIAL_VERSION, kind, recipe.title, recipe.siteName, recipe.background, recipe.foreground],
  )
}

/** The published key of a social picture. @param digest SHA-256 of `socialText`, hex. */
export function socialKey({ kind }: Pick<SocialRecipe, 'kind'>, digest: string): string {
  return `${MEDIA_PREFIX}social.${digest.slice(0, 16)}.${kind === 'crop' ? 'jpg' : 'png'}`
}

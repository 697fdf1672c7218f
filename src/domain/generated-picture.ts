import type { DerivationRecipe, ImageFocus } from './image.ts'
import { MEDIA_PREFIX, type MediaSource } from './media.ts'
import { SOCIAL_PATH, SOCIAL_SIZE, type SocialRecipe, socialKey, socialText } from './social-picture.ts'

/* Images that a publish or a build generates: social images, and the icons of a site. */

export type GeneratedRecipe = SocialRecipe | IconRecipe

/** A recipe of an icon from the site's favicon. Plain JSON. */
export interface IconRecipe {
  readonly kind: 'icon'
  /** SHA-256 of the published original, hex. */
  readonly digest: string
  /** The part that stays where the image is not a square; null for the middle. */
  readonly focus: ImageFocus | null
  /** In pixels. */
  readonly side: IconSide
}

/** Sides of icons: of tabs, of home screens of iOS, and of those of other systems, small and large. */
export const ICON_SIDES = [32, 180, 192, 512] as const
export type IconSide = (typeof ICON_SIDES)[number]

/** The icon whose transparent parts iOS would show black. */
const TOUCH_SIDE = 180

const ICON_PREFIX = '_icon:'

/** An icon in the media of a site. Content cannot name it so. */
export function iconPath(side: IconSide): string {
  return `${ICON_PREFIX}${side}`
}

/** The icons among the media of a site; undefined for none. */
export function iconsOf(media: MediaSource | undefined): MediaSource | undefined {
  const icons = Object.entries(media ?? {}).filter(([path]) => path.startsWith(ICON_PREFIX))
  return icons.length === 0 ? undefined : Object.fromEntries(icons)
}

/** Returns the images that are generated for a page and its site. */
export function generatedPictures(media: MediaSource): MediaSource {
  return Object.fromEntries(Object.entries(media).filter(([path]) => isGenerated(path)))
}

function isGenerated(path: string): boolean {
  return path === SOCIAL_PATH || path.startsWith(ICON_PREFIX)
}

/** Returns the files named by a page and its site, without generated images; undefined for none. */
export function withoutGeneratedPictures(media: MediaSource | undefined): MediaSource | undefined {
  const named = Object.entries(media ?? {}).filter(([path]) => !isGenerated(path))
  return named.length === 0 ? undefined : Object.fromEntries(named)
}

/** Increases whenever the same recipe gives another icon. */
const ICON_VERSION = 1

/** Identifies a recipe: its SHA-256 is the name of the image. */
export function generatedText(recipe: GeneratedRecipe): string {
  if (recipe.kind !== 'icon') return socialText(recipe)
  const { kind, digest, focus, side } = recipe
  return JSON.stringify([ICON_VERSION, kind, digest, side, ...(focus === null ? [] : [focus.x, focus.y])])
}

/** The published key of a generated image. @param digest SHA-256 of `generatedText`, hex. */
export function generatedKey(recipe: GeneratedRecipe, digest: string): string {
  if (recipe.kind !== 'icon') return socialKey(recipe, digest)
  return `${MEDIA_PREFIX}icon.${digest.slice(0, 16)}-${recipe.side}.png`
}

export function generatedSize(recipe: GeneratedRecipe): { readonly width: number; readonly height: number } {
  return recipe.kind === 'icon' ? { width: recipe.side, height: recipe.side } : SOCIAL_SIZE
}

/** Returns the derivation of an image from the one that its recipe names. */
export function derivationOf(recipe: Exclude<GeneratedRecipe, { kind: 'card' }>): DerivationRecipe {
  const { focus } = recipe
  if (recipe.kind === 'crop') return { ...SOCIAL_SIZE, format: 'jpeg', focus }
  const background = recipe.side === TOUCH_SIDE ? '#ffffff' : null
  return { ...generatedSize(recipe), format: 'png', focus, background }
}

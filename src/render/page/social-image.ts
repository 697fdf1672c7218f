import { objectHeaders } from '../../domain/artifact.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import { fileAt, isPicture, type MediaImage, type MediaSource } from '../../domain/media.ts'
import { nameIn } from '../../domain/media-names.ts'
import type { Settings } from '../../domain/settings.ts'
import { SOCIAL_PATH, type SocialCard, type SocialRecipe } from '../../domain/social-picture.ts'
import type { SocialImageView } from '../../theme/view.ts'
import { absoluteLinks, authorHref, namedFile } from '../links/links.ts'

/** Source of the image in link previews of a page: an image of the site, an address elsewhere, or a drawn card. */
type Source =
  | { readonly kind: 'picture'; readonly image: MediaImage }
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'card' }

/** Formats that every service shows. */
const SHOWN = /\.(?:jpe?g|png)$/i
const OTHER_FORMAT = /\.(?:svg|webp|avif|gif)$/i

/**
 * Returns the recipe of a page's social image; null if its address leads elsewhere and is used unchanged, or cards are
 * switched off.
 *
 * @param named the image that the page names.
 * @param card null for a site without cards.
 */
export function socialRecipe(
  named: string | null,
  {
    settings,
    media,
  }: { readonly settings: Pick<Settings, 'ogImageUrl'>; readonly media: MediaSource | undefined },
  card: SocialCard | null,
): SocialRecipe | null {
  const source = sourceOf([named, settings.ogImageUrl], media)
  if (source.kind === 'picture') {
    const { digest, focus = null } = source.image
    return { kind: 'crop', digest, focus }
  }
  return source.kind === 'card' && card !== null ? { kind: 'card', ...card } : null
}

/**
 * The image for link previews, in a format that all services show: the one generated for the page or, while there is
 * none, the named one unchanged.
 */
export function socialImage(
  { image, title, base }: { readonly image: string | null; readonly title: string; readonly base: string },
  {
    site,
    settings,
    media,
  }: {
    readonly site: Pick<SiteIdentity, 'origin'>
    readonly settings: Pick<Settings, 'ogImageUrl'>
    readonly media?: MediaSource | undefined
  },
): SocialImageView | null {
  const links = absoluteLinks(site.origin, media)
  const of = (file: MediaImage): SocialImageView => ({
    url: links.file(file.key),
    type: objectHeaders(file.key).contentType,
    width: file.width,
    height: file.height,
    alt: title,
  })
  const made = fileAt(media, SOCIAL_PATH)
  if (made !== null && isPicture(made)) return of(made)
  for (const names of [[image, settings.ogImageUrl], [settings.ogImageUrl]]) {
    const source = sourceOf(names, media)
    if (source.kind === 'picture' && SHOWN.test(source.image.key)) return of(source.image)
    const href = source.kind === 'address' ? authorHref(source.address, links, 'image') : null
    if (href !== null)
      return { url: new URL(href, base).href, type: null, width: null, height: null, alt: title }
  }
  return null
}

function sourceOf(names: readonly (string | null)[], media: MediaSource | undefined): Source {
  for (const raw of names) {
    const address = raw?.trim() ?? ''
    const path = address.split(/[?#]/, 1)[0] ?? ''
    const file = namedFile(address, media)
    if (file !== null)
      return isPicture(file) && !/\.svg$/i.test(file.key)
        ? { kind: 'picture', image: file }
        : { kind: 'card' }
    // An asset that the project does not have.
    if (address === '' || nameIn(path) !== null) continue
    return OTHER_FORMAT.test(path) ? { kind: 'card' } : { kind: 'address', address }
  }
  return { kind: 'card' }
}

import { LRUCache } from 'lru-cache'
import type { Artifact } from '../../../domain/artifact.ts'
import { hexOf, parseColour, type Rgb, readableOn } from '../../../domain/colour.ts'
import { iconPath } from '../../../domain/generated-picture.ts'
import { fileAt, isPicture } from '../../../domain/media.ts'
import { SITE_ICONS } from '../../../domain/site-icons.ts'
import type { ThemeColours } from '../../../theme/theme.ts'
import { namedFile } from '../../links/links.ts'
import { brandColours, siteColour } from '../../page/branding.ts'
import type { Site } from '../../page/head-view.ts'
import { languageOf } from '../../page/language.ts'
import { type IconDesign, iconColours, iconLetter, iconPixels, svgIcon } from './draw-icon.ts'
import { icoOf, pngOf } from './icon-files.ts'

/** Sides of the icons in `favicon.ico`, in pixels: of tabs, and of lists on screens with more pixels. */
const FAVICON_SIDES = [16, 32, 48]
const TOUCH_SIDE = 180
const SMALL_SIDE = 192
const LARGE_SIDE = 512
/** Sites whose icons stay in memory, with some 12 KB each: every publish of a site needs them. */
const CACHED_SITES = 200

interface Identity {
  readonly name: string
  readonly language: ReturnType<typeof languageOf>
  readonly brand: Rgb
  readonly page: Rgb
  /** Icons of the site's favicon, for its manifest; empty for none. */
  readonly pictures: readonly ManifestIcon[]
}

interface ManifestIcon {
  readonly src: string
  readonly sizes: string
  readonly type: string
  readonly purpose?: 'maskable'
}

const drawn = new LRUCache<string, readonly Artifact[]>({ max: CACHED_SITES })

/**
 * Draws the icons of a site from its name and its colour, in every form that browsers and systems ask for, and returns
 * them with their manifest. Takes some 10 ms, and nothing for a site that was drawn before.
 */
export function siteIcons(
  { site: { name }, settings: { branding, faviconUrl }, media }: Site,
  theme: ThemeColours,
): readonly Artifact[] {
  const { background } = brandColours(branding, theme)[theme.scheme === 'dark' ? 'dark' : 'light']
  const identity: Identity = {
    name,
    language: languageOf([branding['lang']]),
    brand: siteColour(branding, theme),
    page: parseColour(background) ?? (theme.scheme === 'dark' ? [0, 0, 0] : [255, 255, 255]),
    pictures: pictureIcons(faviconUrl, media),
  }
  const key = JSON.stringify(identity)
  const known = drawn.get(key) ?? draw(identity)
  drawn.set(key, known)
  return known
}

function draw(identity: Identity): readonly Artifact[] {
  const { name, brand } = identity
  const design: IconDesign = { background: brand, foreground: readableOn(brand), letter: iconLetter(name) }
  const png = (side: number, form: 'rounded' | 'square') =>
    pngOf(iconPixels(design, side, form), side, iconColours(design))
  return [
    iconFile(SITE_ICONS.favicon, icoOf(FAVICON_SIDES.map((side) => ({ side, png: png(side, 'rounded') })))),
    iconFile(SITE_ICONS.vector, Buffer.from(svgIcon(design))),
    iconFile(SITE_ICONS.touch, png(TOUCH_SIDE, 'square')),
    iconFile(SITE_ICONS.small, png(SMALL_SIDE, 'rounded')),
    iconFile(SITE_ICONS.large, png(LARGE_SIDE, 'square')),
    iconFile(SITE_ICONS.manifest, Buffer.from(`${JSON.stringify(manifestOf(identity), null, 2)}\n`)),
  ]
}

/**
 * Addresses are relative to the manifest, so that it holds under any path. A site of pages is read in a browser, with
 * its address bar and its way back: it asks to be no app of its own.
 */
function manifestOf({ name, language: { lang, dir }, brand, page, pictures }: Identity) {
  return {
    name,
    lang,
    dir,
    start_url: './',
    display: 'browser',
    theme_color: hexOf(brand),
    background_color: hexOf(page),
    icons: pictures.length > 0 ? pictures : DRAWN,
  }
}

const DRAWN: readonly ManifestIcon[] = [
  { src: SITE_ICONS.vector, sizes: 'any', type: 'image/svg+xml' },
  { src: SITE_ICONS.small, sizes: `${SMALL_SIDE}x${SMALL_SIDE}`, type: 'image/png' },
  { src: SITE_ICONS.large, sizes: `${LARGE_SIDE}x${LARGE_SIDE}`, type: 'image/png' },
  { src: SITE_ICONS.large, sizes: `${LARGE_SIDE}x${LARGE_SIDE}`, type: 'image/png', purpose: 'maskable' },
]

/** An SVG unchanged, or the icons derived from another image: systems want at least the smaller icon. */
function pictureIcons(faviconUrl: string | null, media: Site['media']): readonly ManifestIcon[] {
  const named = namedFile(faviconUrl?.trim() ?? '', media)
  if (named !== null && isPicture(named) && /\.svg$/i.test(named.key))
    return [{ src: named.key, sizes: 'any', type: 'image/svg+xml' }]
  const icons = ([SMALL_SIDE, LARGE_SIDE] as const).flatMap((side) => {
    const file = fileAt(media, iconPath(side))
    return file === null ? [] : [{ src: file.key, sizes: `${side}x${side}`, type: 'image/png' }]
  })
  return icons
}

/** Pages name icons, so that these come first. */
function iconFile(key: string, body: Uint8Array): Artifact {
  return { key, stage: 'asset', body, owner: { kind: 'site', id: '' } }
}

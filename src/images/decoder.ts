import { type DerivationRecipe, MAX_IMAGE_PIXELS, type VariantRecipe } from '../domain/image.ts'
import type { SocialCard } from '../domain/social-picture.ts'
import type { ImageHeader } from './formats/image-header.ts'
import { damagedImage } from './image-error.ts'
import { loadSharp, type Sharp, type SharpImage } from './load-sharp.ts'
import { drawSocialCard } from './social-card.ts'

/** Decodes and encodes pixels of images whose structure was read before. */
export interface Decoder {
  /** The image as shown, in at most `PREVIEW_SIDE` pixels on each side. All of the file is decoded for it. */
  preview(bytes: Uint8Array): Promise<Pixels>
  /** The image upright, in its own format and with its colour profile. */
  upright(bytes: Uint8Array, format: ImageHeader['format']): Promise<Uint8Array>
  derived(bytes: Uint8Array, header: ImageHeader, recipe: DerivationRecipe): Promise<EncodedImage>
  /** A PNG of `SOCIAL_SIZE`. */
  card(card: SocialCard): Promise<Uint8Array>
  /** Implements `deriveAll` of the port. */
  derivedAll(
    bytes: Uint8Array,
    header: ImageHeader,
    variants: readonly Pick<VariantRecipe, 'width' | 'format'>[],
    largest: number,
  ): Promise<readonly EncodedImage[]>
}

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Four bytes a pixel, red first. */
  readonly rgba: Uint8Array
}

export interface EncodedImage {
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array
}

/** Side of the image for a blurred preview; enough for an average colour too. */
const PREVIEW_SIDE = 100

/** WebP of photos, and of drawings and screenshots, whose edges show losses sooner. */
const WEBP_QUALITY = { photo: 75, drawing: 85 }
const WEBP_EFFORT = 4
/** With 2, files of photos are half as large again and less like them, in no less time. 4 takes five times as long. */
const AVIF = { quality: 50, effort: 3 }
/** For link previews, which are shown small and encoded again. */
const JPEG = { quality: 82, chromaSubsampling: '4:2:0' } as const
/** For icons, which are small: the time does not matter. */
const PNG = { compressionLevel: 9 } as const
/** The most pixels from which several variants are derived, without an own decoding for each. They take 80 MB. */
const MAX_SHARED_PIXELS = 20_000_000
/** For an image that must be encoded again because it is turned. */
const UPRIGHT_QUALITY = 92

/** Returns null, with the reason, where sharp is not installed or does not load. */
export async function loadDecoder(): Promise<{ readonly decoder: Decoder } | { readonly reason: string }> {
  const loaded = await loadSharp()
  if ('reason' in loaded) return loaded
  const { sharp } = loaded
  // One image at a time, in one thread: the number of processes determines the concurrency.
  sharp.concurrency(1)
  sharp.cache(false)
  // Loads only formats that pages show. Others, such as SVG and PDF, read files and other formats in turn.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`),
  })
  return { decoder: createDecoder(sharp) }
}

function createDecoder(sharp: Sharp): Decoder {
  const open = (bytes: Uint8Array, animated: boolean) =>
    sharp(bytes, { failOn: 'error', limitInputPixels: MAX_IMAGE_PIXELS, animated }).autoOrient()

  return {
    preview: (bytes) =>
      orDamaged(async () => {
        const side = {
          width: PREVIEW_SIDE,
          height: PREVIEW_SIDE,
          fit: 'inside',
          withoutEnlargement: true,
        } as const
        const { data, info } = await open(bytes, false)
          .resize(side)
          .toColourspace('srgb')
          .ensureAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true })
        return { width: info.width, height: info.height, rgba: data }
      }),

    upright: (bytes, format) =>
      orDamaged(async () => {
        const image = open(bytes, true).keepIccProfile()
        const { chromaSubsampling } = await sharp(bytes).metadata()
        const encoded = {
          jpeg: () =>
            image.jpeg({
              quality: UPRIGHT_QUALITY,
              chromaSubsampling: chromaSubsampling === '4:4:4' ? '4:4:4' : '4:2:0',
            }),
          png: () => image.png(),
          webp: () => image.webp({ quality: UPRIGHT_QUALITY }),
        }[format as 'jpeg' | 'png' | 'webp']()
        return encoded.toBuffer()
      }),

    card: (card) => drawSocialCard(card, sharp),

    derived: (bytes, header, recipe) => orDamaged(() => derived(bytes, header, recipe)),

    derivedAll: (bytes, header, variants, largest) =>
      orDamaged(async () => {
        const widest = Math.max(...variants.map(({ width }) => width))
        const shared = await sharedPixels(bytes, header, widest)
        const images: EncodedImage[] = []
        for (const { width, format } of variants) {
          const image =
            shared === null
              ? await derived(bytes, header, { width, height: null, format, focus: null })
              : await encoded(shared().resize({ width }), header, { format })
          if (image.bytes.byteLength > largest) break
          images.push(image)
        }
        return images
      }),
  }

  async function derived(
    bytes: Uint8Array,
    header: ImageHeader,
    recipe: DerivationRecipe,
  ): Promise<EncodedImage> {
    const image = await cropped(open(bytes, header.frames > 1 && recipe.format === 'webp'), header, recipe)
    const profiled = hasWideColours(await sharp(bytes).metadata()) ? image.keepIccProfile() : image
    return encoded(profiled, header, recipe)
  }

  /**
   * The image in this width, decoded once for all its variants. Null if each has to be derived from the file: of
   * animations, with a colour profile, and of very tall images.
   */
  async function sharedPixels(
    bytes: Uint8Array,
    header: ImageHeader,
    width: number,
  ): Promise<(() => SharpImage) | null> {
    const shown = shownSides(header)
    const isLarge = width * ((width * shown.height) / shown.width) > MAX_SHARED_PIXELS
    if (header.frames > 1 || isLarge || hasWideColours(await sharp(bytes).metadata())) return null
    const { data, info } = await open(bytes, false)
      .resize({ width })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { height, channels } = info
    return () => sharp(data, { raw: { width: info.width, height, channels } })
  }
}

async function encoded(
  image: SharpImage,
  { format: from }: ImageHeader,
  { format, background = null }: Pick<DerivationRecipe, 'format' | 'background'>,
): Promise<EncodedImage> {
  const isPhoto = from === 'jpeg' || from === 'webp' || from === 'avif'
  const quality = isPhoto ? WEBP_QUALITY.photo : WEBP_QUALITY.drawing
  const { data, info } = await {
    avif: () => image.avif(AVIF),
    webp: () => image.webp({ quality, effort: WEBP_EFFORT }),
    jpeg: () => image.flatten({ background: '#ffffff' }).jpeg(JPEG),
    png: () => (background === null ? image : image.flatten({ background })).png(PNG),
  }
    [format]()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.pageHeight ?? info.height, bytes: data }
}

function shownSides({ width, height, orientation }: ImageHeader) {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

/** Resized, and cropped to the recipe's proportions around its focus. */
async function cropped(
  image: SharpImage,
  header: ImageHeader,
  recipe: DerivationRecipe,
): Promise<SharpImage> {
  const { width, height, focus } = recipe
  if (height === null) return image.resize({ width })
  const shown = shownSides(header)
  const scale = Math.min(shown.width / width, shown.height / height)
  const box = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  const left = offset(shown.width, box.width, focus?.x)
  const top = offset(shown.height, box.height, focus?.y)
  return image.extract({ left, top, ...box }).resize({ width, height, fit: 'fill' })
}

/** Start of a crop with the focus in its middle, within the bounds of the image. */
function offset(whole: number, part: number, focus = 0.5): number {
  return Math.round(Math.min(Math.max(focus * whole - part / 2, 0), whole - part))
}

/**
 * Reports whether a profile has colours beyond sRGB, the default of browsers. Profiles in variants cost up to 3 KB
 * each.
 */
function hasWideColours({
  icc,
  space,
}: {
  readonly icc?: Uint8Array | undefined
  readonly space: string
}): boolean {
  if (icc === undefined || space === 'cmyk') return false
  return !Buffer.from(icc).toString('latin1').replaceAll('\0', '').includes('sRGB')
}

async function orDamaged<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw damagedImage(error)
  }
}

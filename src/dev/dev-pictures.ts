import { createHash } from 'node:crypto'
import { existsSync, type Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteAsset } from '../content-folder/site.ts'
import { ServiceError } from '../domain/errors.ts'
import {
  derivationOf,
  generatedKey,
  generatedSize,
  generatedText,
  iconPath,
} from '../domain/generated-picture.ts'
import { type DerivationRecipe, hasVariants, type ImageFacts, screenWidths } from '../domain/image.ts'
import { fileAt, type MediaImage, type MediaSource, recipeText, variantKey } from '../domain/media.ts'
import type { Settings } from '../domain/settings.ts'
import type { VideoSize } from '../domain/video.ts'
import type { ImageProcessor } from '../images/image-processor.ts'
import { readVideoSize } from '../media/video-size.ts'
import { isSystemError } from '../platform/fs-errors.ts'
import { iconRecipes } from '../render/page/icon-recipes.ts'
import { isPicture, isSmallPicture } from '../site-build/pictures/picture-name.ts'
import { isVideoName } from '../site-build/pictures/site-videos.ts'
import { smallPictureFacts } from '../site-build/pictures/small-pictures.ts'

export interface DevPicturePorts {
  readonly folder: string
  /** An existing folder for derived images. */
  readonly cache: string
  /** Reads headers only, so that a site with many images is shown at once. */
  readonly headers: Pick<ImageProcessor, 'inspect'>
  readonly images: Pick<ImageProcessor, 'decodes' | 'derive'>
}

export type DevPictures = ReturnType<typeof createDevPictures>

/** The images and videos of a content folder during editing: variants are derived when a browser requests them. */
export function createDevPictures({ folder, cache, headers, images }: DevPicturePorts) {
  /** Facts of a file, by its path, size and time. */
  const known = new Map<string, ImageFacts | null>()
  const videos = new Map<string, VideoSize | null>()
  const small = new Map<string, Pick<MediaImage, 'width' | 'height'> | null>()
  const recipes = new Map<
    string,
    { readonly file: string; readonly name: string; readonly recipe: DerivationRecipe }
  >()
  const derived = new Map<string, Promise<string | null>>()
  const undecoded = new Set<string>()

  return {
    /** The number of images without variants in the last `media`, because none can be decoded here. */
    undecoded: () => undecoded.size,

    async media(assets: readonly SiteAsset[], settings: Pick<Settings, 'faviconUrl'>): Promise<MediaSource> {
      const media: [string, MediaSource[string]][] = []
      undecoded.clear()
      for (const { path, source } of assets) {
        const file = join(folder, source)
        const stats = await lstat(file).catch(() => null)
        const found = stats?.isFile() ? await mediaFile(path, file, stats) : null
        if (found !== null) media.push([path, found])
      }
      const named: MediaSource = Object.fromEntries(media)
      return { ...named, ...(await icons(assets, settings, named)) }
    },

    /** The absolute path of a derived image; null for an unused key, and for an image that cannot be derived. */
    async file(key: string): Promise<string | null> {
      const found = recipes.get(key)
      if (found === undefined) return null
      const into = join(cache, found.name)
      if (existsSync(into)) return into
      const running =
        derived.get(key) ?? images.derive(found.file, found.recipe, into).then(() => into, orNull)
      derived.set(key, running)
      try {
        return await running
      } finally {
        derived.delete(key)
      }
    },
  }

  /** The icons derived from the favicon. */
  async function icons(
    assets: readonly SiteAsset[],
    settings: Pick<Settings, 'faviconUrl'>,
    media: MediaSource,
  ): Promise<MediaSource> {
    const wanted = iconRecipes(settings, media)
    if (wanted.length === 0 || !(await images.decodes())) return {}
    const favicon = assets.find(({ path }) => fileAt(media, path)?.digest === wanted[0]?.digest)
    return Object.fromEntries(
      wanted.map((recipe) => {
        const digest = createHash('sha256').update(generatedText(recipe)).digest('hex')
        const key = generatedKey(recipe, digest)
        const file = join(folder, favicon?.source ?? '')
        recipes.set(key, { file, name: `${digest}.png`, recipe: derivationOf(recipe) })
        return [iconPath(recipe.side), { digest, key, ...generatedSize(recipe), colour: null, variants: [] }]
      }),
    )
  }

  /** Returns null for a file that is neither image nor video, or has no readable size. */
  async function mediaFile(
    path: string,
    file: string,
    { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>,
  ): Promise<MediaSource[string] | null> {
    const version = createHash('sha256').update(`${file} ${size} ${mtimeMs}`).digest('hex')
    const named = { digest: version, key: path }
    if (isVideoName(path)) {
      const video = await once(videos, version, () => readVideoSize(file))
      return video && { ...named, ...video }
    }
    if (isSmallPicture(path, size)) {
      const shown = await once(small, version, () => smallPictureFacts(file))
      return shown && { ...named, ...shown, colour: null, variants: [] }
    }
    if (!isPicture(path, size)) return null
    const facts = await once(known, version, () => headers.inspect(file))
    return facts && image(path, file, version, facts)
  }

  async function image(path: string, file: string, version: string, facts: ImageFacts): Promise<MediaImage> {
    const { width, height } = facts
    const isDecoded = !hasVariants(facts) || (await images.decodes())
    if (!isDecoded) undecoded.add(path)
    const widths = isDecoded && hasVariants(facts) ? screenWidths(facts) : []
    const variants = widths.map((each) => {
      const recipe = { width: each, height: null, format: 'webp', focus: null } as const
      const name = createHash('sha256').update(recipeText(version, recipe)).digest('hex')
      const key = variantKey(path, name, recipe)
      recipes.set(key, { file, name: `${name}.webp`, recipe })
      return { key, width: each, height: Math.round((each * height) / width), format: recipe.format }
    })
    return { digest: version, key: path, width, height, colour: null, variants }
  }
}

/** Returns the facts of this version of a file, and reads them if they are unknown. */
async function once<Facts>(
  known: Map<string, Facts | null>,
  version: string,
  read: () => Promise<Facts | null>,
): Promise<Facts | null> {
  const found = known.get(version)
  if (found !== undefined) return found
  const facts = await read().catch(orNull)
  known.set(version, facts)
  return facts
}

/** Browsers show an unreadable or removed image in their own way. */
function orNull(error: unknown): null {
  if (error instanceof ServiceError || isSystemError(error)) return null
  throw error
}

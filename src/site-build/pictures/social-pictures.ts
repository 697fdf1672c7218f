import { createHash } from 'node:crypto'
import type { Site, SitePage } from '../../content-folder/site.ts'
import { nameInLocale } from '../../domain/by-locale.ts'
import { ServiceError } from '../../domain/errors.ts'
import {
  derivationOf,
  type GeneratedRecipe,
  generatedKey,
  generatedSize,
  generatedText,
  type IconRecipe,
  iconPath,
} from '../../domain/generated-picture.ts'
import { localeOf } from '../../domain/locale.ts'
import type { MediaImage, MediaSource } from '../../domain/media.ts'
import { publicPath } from '../../domain/route.ts'
import { DEFAULT_SETTINGS } from '../../domain/settings.ts'
import { cardWords, type SocialRecipe } from '../../domain/social-picture.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import { readFileBody } from '../../platform/file-body.ts'
import { socialRecipe } from '../../render/page/social-image.ts'
import type { Renderer } from '../../renderer/renderer.ts'
import type { StaticFile } from '../static-files.ts'
import type { PictureCache } from './picture-cache.ts'

/** Path of a page's social image in the media of a site, by the page's file. No content can name it. */
export function socialPath(source: string): string {
  return `_social:${source}`
}

/** Returns the recipe of a page's social image; null for a page without one. */
export type SocialRecipes = (page: SocialPage, media: MediaSource) => SocialRecipe | null

type SocialPage = Pick<SitePage, 'source' | 'title' | 'ogImageUrl' | 'subroute' | 'slug' | 'ownFields'>

/** @param pages the number of pages of the whole site. */
export function socialRecipes(
  { name, settings }: Pick<Site, 'name' | 'settings'>,
  pages: number,
  { cardColours }: Pick<Renderer, 'cardColours'>,
): SocialRecipes {
  const whole = { ...DEFAULT_SETTINGS, ...settings }
  const colours = cardColours(whole)
  const nameFor = (page: SocialPage) =>
    nameInLocale(
      name,
      whole,
      localeOf({
        path: publicPath(page, whole.siteRoutes),
        fields: { locale: page.ownFields.locale ?? null },
        settings: whole,
      }),
    )
  return (page, media) => {
    const { title, ogImageUrl } = page
    const card =
      whole.socialCards === 'none' ? null : { ...cardWords({ title }, nameFor(page), pages), ...colours }
    return socialRecipe(ogImageUrl, { settings: whole, media }, card)
  }
}

/** Reports whether the page has the same social image as before. */
export function hasSamePicture(page: SocialPage, media: MediaSource, recipes: SocialRecipes): boolean {
  const recipe = recipes(page, media)
  const made = media[socialPath(page.source)]
  // An image that could not be created before is not created now.
  return made === undefined || (recipe !== null && made.key === keyOf(recipe))
}

interface Ports {
  readonly cache: PictureCache
  readonly images: () => ImageProcessor
  /** The file of an original by its digest; null for none. */
  readonly fileOf: (digest: string) => string | null
  readonly concurrency: number
}

/** Creates the social images and icons that the cache lacks. There are none if images cannot be decoded. */
export async function generatedPictures(
  pages: readonly SocialPage[],
  media: MediaSource,
  { recipes, icons }: { readonly recipes: SocialRecipes; readonly icons: readonly IconRecipe[] },
  ports: Ports,
): Promise<{
  readonly media: MediaSource
  readonly files: readonly StaticFile[]
  /** Pages without a card, because none can be drawn on this machine. */
  readonly undrawn: number
}> {
  const wanted = new Map<string, { readonly recipe: GeneratedRecipe; readonly paths: string[] }>()
  for (const recipe of icons) wanted.set(keyOf(recipe), { recipe, paths: [iconPath(recipe.side)] })
  for (const page of pages) {
    const recipe = recipes(page, media)
    if (recipe === null) continue
    const known = wanted.get(keyOf(recipe))
    if (known === undefined) wanted.set(keyOf(recipe), { recipe, paths: [socialPath(page.source)] })
    else known.paths.push(socialPath(page.source))
  }
  const made = await mapConcurrently([...wanted], ports.concurrency, async ([key, { recipe, paths }]) => {
    const body = await bodyOf(recipe, ports)
    return body === null ? null : { key, recipe, body, paths }
  })
  const pictures = made.filter((picture) => picture !== null)
  const isDrawn = new Set(pictures.map(({ key }) => key))
  const undrawn = [...wanted].filter(([key, { recipe }]) => recipe.kind === 'card' && !isDrawn.has(key))
  return {
    undrawn: undrawn.reduce((sum, [, { paths }]) => sum + paths.length, 0),
    files: pictures.map(({ key, body }) => ({ key, ...body })),
    media: Object.fromEntries(
      pictures.flatMap(({ key, recipe, body: { digest }, paths }) => {
        const picture: MediaImage = { key, digest, ...generatedSize(recipe), colour: null, variants: [] }
        return paths.map((path) => [path, picture])
      }),
    ),
  }
}

async function bodyOf(recipe: GeneratedRecipe, { cache, images, fileOf }: Ports) {
  const name = `${digestOf(recipe)}.social`
  const into = cache.path(name)
  if (cache.keep(name)) return readFileBody(into)
  const file = recipe.kind === 'card' ? '' : fileOf(recipe.digest)
  if (file === null || !(await images().decodes())) return null
  try {
    if (recipe.kind === 'card') await images().drawCard(recipe, into)
    else await images().derive(file, derivationOf(recipe), into)
    return await readFileBody(into)
  } catch (error) {
    // An image that cannot be decoded is reported where it is read.
    if (error instanceof ServiceError) return null
    throw error
  }
}

function keyOf(recipe: GeneratedRecipe): string {
  return generatedKey(recipe, digestOf(recipe))
}

function digestOf(recipe: GeneratedRecipe): string {
  return createHash('sha256').update(generatedText(recipe)).digest('hex')
}

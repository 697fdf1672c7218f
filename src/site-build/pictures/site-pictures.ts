import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { SITE_FILE } from '../../content-folder/file-kind.ts'
import type { SiteAsset, SitePage } from '../../content-folder/site.ts'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { IconRecipe } from '../../domain/generated-picture.ts'
import { hasVariants, screenWidths, type VariantFormat } from '../../domain/image.ts'
import { type MediaImage, type MediaSource, variantKey } from '../../domain/media.ts'
import { isWorthwhile, variantFormats, WORTH } from '../../domain/picture-variants.ts'
import type { ImageProcessor } from '../../images/image-processor.ts'
import { mapConcurrently } from '../../platform/concurrency.ts'
import { type FileBody, readFileBody } from '../../platform/file-body.ts'
import { mkdirp } from '../../platform/mkdirp.ts'
import { STATE_FOLDER } from '../incremental/file-fingerprints.ts'
import type { StaticFile } from '../static-files.ts'
import { withBuildLock } from '../write-lock.ts'
import {
  hasPictureCache,
  openPictureCache,
  type PictureCache,
  type PictureRecord,
  type RecordedVariant,
} from './picture-cache.ts'
import { isPicture } from './picture-name.ts'
import { generatedPictures, type SocialRecipes } from './social-pictures.ts'

/** The images of a site, and the files that they add to it. */
export interface SitePictures {
  readonly media: MediaSource
  /** Variants, and images without metadata in place of the folder's files. */
  readonly files: readonly StaticFile[]
  /** Warnings about images that cannot be decoded. They are served unchanged. */
  readonly warnings: readonly Diagnostic[]
  /** Number of images without variants, because none can be decoded on this machine. */
  readonly undecoded: number
}

export const NO_PICTURES: SitePictures = { media: {}, files: [], warnings: [], undecoded: 0 }

/** Enough that no process waits for the next image. */
const CONCURRENCY = 2 * availableParallelism()

interface PicturePorts {
  readonly folder: string
  readonly out: string
  /** Formats that pages offer next to the image's own. */
  readonly formats: readonly VariantFormat[]
  /** Called for the first image that is not in the cache. */
  readonly images: () => ImageProcessor
  /** Seals the cache in Data Mode; null leaves it in plain. */
  readonly contentKey: Uint8Array | null
}

/**
 * Reads the images of a site and derives their variants. Cached variants of the output folder are not derived again;
 * without images nothing is loaded.
 *
 * @param bodies the files of the assets, by path on the site.
 * @throws {ServiceError} `conflict` when another build is writing into the output folder.
 */
export async function sitePictures(
  assets: readonly SiteAsset[],
  bodies: ReadonlyMap<string, FileBody>,
  social: SocialPages,
  ports: PicturePorts,
): Promise<SitePictures> {
  const { out, contentKey } = ports
  const pictures = assets.filter(({ path }) => isPicture(path, bodies.get(path)?.size ?? 0))
  if (
    pictures.length === 0 &&
    !hasPictureCache(out) &&
    !social.pages.some((page) => social.recipes(page, social.small) !== null) &&
    social.icons(social.small).length === 0
  )
    return NO_PICTURES
  await mkdirp(join(out, STATE_FOLDER))
  return withBuildLock(out, async () => {
    const cache = await openPictureCache(out, contentKey)
    try {
      return await withCache(cache, { assets, pictures, bodies, social }, ports)
    } finally {
      await cache.close()
    }
  })
}

interface Wanted {
  readonly assets: readonly SiteAsset[]
  /** The assets that are read as images. */
  readonly pictures: readonly SiteAsset[]
  readonly bodies: ReadonlyMap<string, FileBody>
  readonly social: SocialPages
}

async function withCache(
  cache: PictureCache,
  { assets, pictures, bodies, social }: Wanted,
  { folder, formats, images }: PicturePorts,
): Promise<SitePictures> {
  const recordOf = onceEach((original) => cachedOrDerived(original, { cache, formats, images }))
  const read = await mapConcurrently(pictures, CONCURRENCY, (asset) => {
    const { digest = '', size = 0 } = bodies.get(asset.path) ?? {}
    const original = { file: join(folder, asset.source), digest, size }
    return readPicture(asset, original, { cache, formats, recordOf })
  })
  const media = Object.fromEntries(read.flatMap(({ path, media }) => (media === null ? [] : [[path, media]])))
  const sources = new Map(assets.map(({ path, source }) => [bodies.get(path)?.digest, join(folder, source)]))
  const named = { ...media, ...social.small }
  const wanted = { recipes: social.recipes, icons: social.icons(named) }
  const made = await generatedPictures(social.pages, named, wanted, {
    cache,
    images,
    fileOf: (digest) => sources.get(digest) ?? null,
    concurrency: CONCURRENCY,
  })
  await cache.prune()
  return {
    media: { ...media, ...made.media },
    files: [...read.flatMap(({ files }) => files), ...made.files],
    warnings: [...read.flatMap(({ warning }) => warning ?? []), ...undrawnWarning(made.undrawn)],
    undecoded: read.filter(({ isDecoded }) => !isDecoded).length,
  }
}

/** All pages of a site, and the recipes of their social images. */
interface SocialPages {
  readonly pages: readonly SitePage[]
  readonly recipes: SocialRecipes
  /** Returns the recipes of the site's icons. */
  readonly icons: (media: MediaSource) => readonly IconRecipe[]
  /** Images too small for variants. */
  readonly small: MediaSource
}

function undrawnWarning(pages: number): readonly Diagnostic[] {
  if (pages === 0) return []
  const of = pages === 1 ? '1 page has' : `${pages} pages have`
  const message = `${of} no drawn picture for link previews, although \`social_cards\` asks for one, because the package sharp cannot be loaded. Install it for this system: npm install --include=optional.`
  return [diagnostic('QN-NO-CARDS', SITE_FILE, message, { field: 'social_cards' })]
}

type RecordOf = (original: SourceFile) => Promise<PictureRecord>

/** Equal files share one record: two calls would write the same files at a time. */
function onceEach(read: RecordOf): RecordOf {
  const records = new Map<string, Promise<PictureRecord>>()
  return (original) => {
    const record = records.get(original.digest) ?? read(original)
    records.set(original.digest, record)
    return record
  }
}

interface ReadPicture {
  readonly path: string
  readonly media: MediaImage | null
  readonly files: readonly StaticFile[]
  readonly warning: Diagnostic | null
  readonly isDecoded: boolean
}

interface SourceFile {
  readonly file: string
  readonly digest: string
  readonly size: number
}

async function readPicture(
  { path, source }: SiteAsset,
  original: SourceFile,
  { cache, formats, recordOf }: Omit<DerivePorts, 'images'> & { readonly recordOf: RecordOf },
): Promise<ReadPicture> {
  try {
    const whole = await recordOf(original)
    const record = { ...whole, variants: whole.variants.filter(({ format }) => formats.includes(format)) }
    const files = record.variants.map((variant) => ({
      key: keyOf(path, variant),
      digest: variant.digest,
      size: variant.size,
      open: () => cache.open(variant.file),
    }))
    const cleanedName = cache.cleanedName(original.digest)
    const cleaned =
      record.cleaned === null ? [] : [{ key: path, ...record.cleaned, open: () => cache.open(cleanedName) }]
    const media = mediaImage(path, original, record)
    return { path, media, files: [...cleaned, ...files], warning: null, isDecoded: record.isDecoded }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const warning = diagnostic('QN-BAD-PICTURE', source, error.message)
    return { path, media: null, files: [], warning, isDecoded: true }
  }
}

function keyOf(path: string, { recipe, width, format }: RecordedVariant): string {
  return variantKey(path, recipe, { width, format })
}

function mediaImage(path: string, { digest }: SourceFile, { facts, variants }: PictureRecord): MediaImage {
  return {
    digest,
    key: path,
    width: facts.width,
    height: facts.height,
    colour: hasVariants(facts) ? facts.colour : null,
    variants: variants.map((variant) => ({
      key: keyOf(path, variant),
      width: variant.width,
      height: variant.height,
      format: variant.format,
    })),
  }
}

interface DerivePorts extends Pick<PicturePorts, 'formats' | 'images'> {
  readonly cache: PictureCache
}

/** Returns the record of an image. One that could not be decoded is tried again once images can be decoded. */
async function cachedOrDerived(original: SourceFile, ports: DerivePorts): Promise<PictureRecord> {
  const { cache, images, formats } = ports
  const known = await cache.record(original.digest)
  const isCurrent = known !== null && (known.isDecoded || !(await images().decodes()))
  let record = isCurrent ? known : await readOriginal(original, cache, images())
  const wanted = record.isDecoded ? variantFormats(record.facts).filter((each) => formats.includes(each)) : []
  for (const format of wanted)
    if (!record.formats.includes(format)) {
      const derived = await withVariants(record, original, format, { cache, images: images() })
      // After each format, so that an aborted build has derived it for the next one.
      await cache.store(original.digest, derived, record)
      record = derived
    }
  return record
}

async function readOriginal(
  { file, digest }: SourceFile,
  cache: PictureCache,
  images: ImageProcessor,
): Promise<PictureRecord> {
  const clean = cache.path(cache.cleanedName(digest))
  const facts = await images.clean(file, clean)
  const body = await readFileBody(clean)
  const record = {
    isDecoded: await images.decodes(),
    facts,
    cleaned: body.digest === digest ? null : { digest: body.digest, size: body.size },
    formats: [],
    variants: [],
  }
  await cache.store(digest, record, null)
  return record
}

/** Derives the variants of one format, and records the worthwhile ones. */
async function withVariants(
  record: PictureRecord,
  { file, digest, size }: SourceFile,
  format: VariantFormat,
  { cache, images }: { readonly cache: PictureCache; readonly images: ImageProcessor },
): Promise<PictureRecord> {
  const { facts, variants: others } = record
  const wanted = (hasVariants(facts) ? screenWidths(facts) : []).map((width) => {
    const recipe = cache.recipeDigest(digest, { width, height: null, format, focus: null })
    return { width, format, recipe, file: `${recipe}.${format}` }
  })
  const toWrite = wanted.map(({ width, file: name }) => ({ width, format, into: cache.path(name) }))
  const derived = wanted.length === 0 ? [] : await images.deriveAll(file, toWrite, size * WORTH)
  const variants = await Promise.all(
    derived.map(async ({ height, bytes }, at): Promise<RecordedVariant> => {
      const variant = wanted[at] as (typeof wanted)[number]
      return {
        ...variant,
        height,
        size: bytes,
        digest: (await readFileBody(cache.path(variant.file))).digest,
      }
    }),
  )
  const sizes = others.map((other) => ({ ...other, bytes: other.size }))
  const worth = variants.filter((variant) =>
    isWorthwhile({ ...variant, bytes: variant.size }, { bytes: size }, sizes),
  )
  return { ...record, formats: [...record.formats, format], variants: [...others, ...worth] }
}

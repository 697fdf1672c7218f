import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SitePage } from '../content-folder/site.ts'
import { type AssetTexts, NO_TEXTS } from '../domain/asset.ts'
import { isJsonObject, type JsonObject, parsedJson } from '../domain/json.ts'
import { readMediaName } from '../domain/media-name.ts'
import { PAGE_TYPES } from '../domain/page.ts'
import type { Hosting } from '../domain/project.ts'
import type { Settings } from '../domain/settings.ts'
import { SLUG_ALPHABETS } from '../domain/slug.ts'
import { storedValueFields } from '../fields/page-fields.ts'
import { ASSET_PLACES } from './asset-places.ts'
import type { ProjectDetails } from './exported-project.ts'

/* `.quoin/export.json`: the parts of a project that a content folder cannot hold. It holds no secret. */

/** In the content folder. Files of a site never start with a dot. */
export const MANIFEST_FILE = '.quoin/export.json'
const FORMAT = 1

/** The values of a page without its file and live state. */
export type PageValues = Omit<SitePage, 'source' | 'draft' | 'generatedFrom' | 'attachments'>

/** A schema for each value, so that none can be left out. */
type Schemas<Values> = { readonly [Key in keyof Values]-?: z.ZodType<Values[Key]> }

const json = z.custom<JsonObject>(isJsonObject)
const address = z.object({ subroute: z.string(), slug: z.string() })
const values = {
  type: z.enum(PAGE_TYPES),
  title: z.string(),
  slug: z.string(),
  subroute: z.string(),
  description: z.string(),
  ogImageUrl: z.string().nullable(),
  meta: z.object({
    title: z.string().exactOptional(),
    description: z.string().exactOptional(),
    keywords: z.string().exactOptional(),
    robots: z.string().exactOptional(),
  }),
  config: json,
  markdown: z.string(),
  ownFields: storedValueFields,
  parent: address.nullable(),
} satisfies Schemas<PageValues>

const someValues = z.object(values).partial() as unknown as z.ZodType<Partial<PageValues>>

const texts = {
  alt: z.string().default(NO_TEXTS.alt),
  title: z.string().default(NO_TEXTS.title),
  focus: z.object({ x: z.number(), y: z.number() }).nullable().default(NO_TEXTS.focus),
} satisfies Schemas<AssetTexts>

const settings = z.custom<Partial<Settings>>(isJsonObject)
const digest = z.string()

/** The state of a page. */
const state = {
  isArchived: z.literal(true).exactOptional(),
  scheduled: z.object({ at: z.string(), strict: z.boolean() }).exactOptional(),
}

const home = z.object({
  status: z.enum(['active', 'archived']),
  hosting: z.object({
    mode: z.enum(['full_host', 'rewrite', 'data_mode']),
    subdomain: z.string().nullable(),
    customDomain: z.string().nullable(),
    sslEnabled: z.boolean(),
    cdnEnabled: z.boolean(),
    basePath: z.string(),
    manifest: z.enum(['full', 'minimal']),
    /** Absent in exports of earlier versions. */
    slugs: z.enum(SLUG_ALPHABETS).default('standard'),
  } satisfies Schemas<Hosting>),
  context: z.string(),
  legacySettings: json,
} satisfies Schemas<ProjectDetails>)

const FINISHED = z.object({
  format: z.literal(FORMAT),
  home,
  site: z.object({ digest, name: z.string().exactOptional(), settings: settings.exactOptional() }),
  /** The digest of `redirects.yaml`; absent without one. */
  redirects: z.object({ digest }).exactOptional(),
  /**
   * By file. `values` are the values that the file cannot hold. They are ignored when the digest of the file differs.
   */
  pages: z.record(
    z.string(),
    z.object({
      digest,
      ...state,
      values: someValues.exactOptional(),
    }),
  ),
  /** Pages without a file, because another page has the same path or the content folder refuses them. */
  aside: z.array(
    z.object({
      ...values,
      source: z.string(),
      draft: z.boolean(),
      ...state,
    }),
  ),
  /** Images and files, by name. Absent in exports of earlier versions, and without any. */
  assets: z
    .array(
      z.object({
        name: z.string().refine((name) => readMediaName(name) === name),
        /** SHA-256 of the file, hex. */
        digest: z.string().regex(/^[0-9a-f]{64}$/),
        place: z.enum(ASSET_PLACES).default('beside'),
        ...texts,
      }),
    )
    .default([]),
})

const UNFINISHED = z.object({
  format: z.literal(FORMAT),
  /** The files of an interrupted export, with every digest that each may have. */
  unfinished: z.record(z.string(), z.array(digest)),
})

/** The manifest of a finished export. */
export type Manifest = z.output<typeof FINISHED>
export type Unfinished = z.output<typeof UNFINISHED>

/** Parses a manifest. Null when it is damaged or of another version. */
export function readManifest(text: string): Manifest | Unfinished | null {
  return z.union([FINISHED, UNFINISHED]).safeParse(parsedJson(text)).data ?? null
}

/** Values of assets that have their default are left out. */
export function manifestText({ assets, ...manifest }: Omit<Manifest, 'format'>): string {
  const written = assets.map(({ name, digest, place, ...texts }) => ({
    name,
    digest,
    ...(place !== 'beside' && { place }),
    ...Object.fromEntries(
      Object.entries(texts).filter(([key, value]) => value !== NO_TEXTS[key as keyof AssetTexts]),
    ),
  }))
  return textOf({ ...manifest, ...(written.length > 0 && { assets: written }) })
}

export function unfinishedText(unfinished: Unfinished['unfinished']): string {
  return textOf({ unfinished })
}

function textOf(content: object): string {
  return `${JSON.stringify({ format: FORMAT, ...content }, null, 2)}\n`
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url')
}

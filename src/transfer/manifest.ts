import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SitePage } from '../content-folder/site.ts'
import type { JsonObject } from '../domain/json.ts'
import { isJsonObject } from '../domain/json.ts'
import { PAGE_TYPES } from '../domain/page.ts'
import type { Settings } from '../domain/settings.ts'

/* `.quoin/export.json`: what makes a content folder the whole of a project. It holds no secret. */

/** Beneath the content folder; nothing a site is made of starts with a dot. */
export const MANIFEST_FILE = '.quoin/export.json'
const FORMAT = 1

/** What a page says, its file and whether it is live aside. */
export type PageValues = Omit<SitePage, 'source' | 'draft'>

const json = z.custom<JsonObject>(isJsonObject)
const address = z.object({ subroute: z.string(), slug: z.string() })
const author = z.object({ name: z.string(), avatar: z.string().nullable() })

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
  ownFields: z.object({
    publishDate: z.string().nullable().exactOptional(),
    author: author.nullable().exactOptional(),
    navOrder: z.number().exactOptional(),
  }),
  parent: address.nullable(),
}

const someValues = z.object(values).partial() as unknown as z.ZodType<Partial<PageValues>>

const settings = z.custom<Partial<Settings>>(isJsonObject)
const digest = z.string()

/** What is known of a page besides what it says. */
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
  }),
  context: z.string(),
  legacySettings: json,
})

const FINISHED = z.object({
  format: z.literal(FORMAT),
  home,
  site: z.object({ digest, name: z.string().exactOptional(), settings: settings.exactOptional() }),
  /** By their files. `values` are those that the file cannot hold; they count as long as it has this digest. */
  pages: z.record(
    z.string(),
    z.object({
      digest,
      ...state,
      values: someValues.exactOptional(),
    }),
  ),
  /** Pages that have no file, since a content folder cannot hold them beside the others. */
  aside: z.array(
    z.object({
      ...values,
      source: z.string(),
      draft: z.boolean(),
      ...state,
    }),
  ),
})

const UNFINISHED = z.object({
  format: z.literal(FORMAT),
  /** What the folder may hold of an export that did not end, with every digest each file may have. */
  unfinished: z.record(z.string(), z.array(digest)),
})

/** What an export that was finished left. */
export type Manifest = z.output<typeof FINISHED>
export type Unfinished = z.output<typeof UNFINISHED>

/** Null for a text that no export of this version wrote. */
export function readManifest(text: string): Manifest | Unfinished | null {
  try {
    return z.union([FINISHED, UNFINISHED]).safeParse(JSON.parse(text)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export function manifestText(manifest: Omit<Manifest, 'format'>): string {
  return textOf(manifest)
}

export function unfinishedText(unfinished: Unfinished['unfinished']): string {
  return textOf({ unfinished })
}

function textOf(held: object): string {
  return `${JSON.stringify({ format: FORMAT, ...held }, null, 2)}\n`
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url')
}

import { z } from 'zod'
import type { JsonObject } from '../domain/json.ts'
import type { Settings } from '../domain/settings.ts'
import { readSiteUrl } from '../domain/site-url.ts'
import { isFolderId } from '../domain/source.ts'
import { isTimeZone } from '../domain/time-zone.ts'
import { SETTINGS_FIELDS } from '../fields/settings-fields.ts'
import { fieldsToSettings, settingsShape } from '../fields/settings-record.ts'
import { converted, name, trimmed, url, wideSubroute } from '../fields/values.ts'
import { cssIssueText, customCssIssues } from '../page-text/custom-css.ts'
import { FOLDER_TYPES, type FolderType } from './page-fields.ts'
import { parsedAsWritten, withoutEmptyFields } from './written-texts.ts'
import type { YamlSource } from './yaml-source.ts'

/** The fields of `site.yaml`: settings of the project, and settings of a folder alone. */
export interface SiteFields {
  readonly name: string
  /** Without a trailing slash; null if there is none. */
  readonly origin: string | null
  readonly settings: Partial<Settings>
  /** The default type of the pages in a folder, by the folder's path. */
  readonly types: Readonly<Record<string, FolderType>>
  /** Patterns of files that are left out, besides the usual ones. */
  readonly ignore: readonly string[]
  /** Base URL under which files of the folder are edited; null if there is none. */
  readonly editBase: string | null
  /** Addresses that `quoin check-links` does not ask. */
  readonly skipLinks: readonly string[]
  /** Builds derive images as AVIF too. */
  readonly avif: boolean
  /** The identity of the folder; null if it has none but its name. */
  readonly id: string | null
  /** The time zone of dates without a time; null for UTC. */
  readonly timeZone: string | null
}

/** The service also parses the CSS; a command does not, and reports only what a scan finds. */
const css = SETTINGS_FIELDS.customCss.schema.superRefine((given, context) => {
  for (const issue of customCssIssues(given ?? ''))
    context.addIssue({ code: 'custom', message: cssIssueText(issue), params: { css: true } })
})

const siteUrl = converted(
  readSiteUrl,
  'must be an http or https URL without a query, e.g. https://example.com.',
)

/** Each pattern is compared with every file of the folder. */
const MAX_PATTERNS = 200
const MAX_PATTERN_LENGTH = 500

const IGNORE_RULE = `must be a list of at most ${MAX_PATTERNS} patterns, such as drafts/ or *.psd.`

const ignorePattern = z.string(IGNORE_RULE).min(1, IGNORE_RULE).max(MAX_PATTERN_LENGTH, IGNORE_RULE)

/** The fields of `site.yaml`. */
export const SITE_SCHEMA = z.strictObject({
  name: name(100).meta({ description: 'The name of the site.' }),
  id: z
    .string()
    .refine(isFolderId, 'must have 6 to 64 characters of a-z, 0-9 and -.')
    .nullable()
    .default(null)
    .meta({
      description:
        'The identity of the folder, by which `quoin push` finds its project, wherever the folder is. `quoin new-id` gives a copy another one.',
    }),
  time_zone: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin.')
    .nullable()
    .default(null)
    .meta({
      description:
        'The time zone in which a date without a time begins when `quoin push` schedules an article, e.g. `Europe/Berlin`; UTC by default.',
    }),
  url: siteUrl.nullable().default(null).meta({
    description:
      'The public URL of the site, e.g. `https://example.com`, for canonical links, sitemap and feeds.',
  }),
  ...settingsShape('file', { customCss: css }),
  edit_base: url.nullable().default(null).meta({
    description:
      'Base URL under which the files of the folder are edited: articles and docs pages link to it.',
  }),
  skip_links: z.array(ignorePattern, IGNORE_RULE).max(MAX_PATTERNS, IGNORE_RULE).default([]).meta({
    description:
      'Addresses of other sites that `quoin check-links` does not ask, `*` for any run of characters, e.g. `https://intranet.example/*`.',
  }),
  avif: z.boolean('must be true or false.').default(false).meta({
    description:
      'Whether `quoin build` derives pictures as AVIF, and not as WebP alone: fewer bytes for visitors, a longer first build. A server always does.',
  }),
  types: z
    .record(wideSubroute, z.enum(FOLDER_TYPES, `must be one of ${FOLDER_TYPES.join(', ')}.`))
    .default({})
    .meta({
      description:
        'The default type of the pages in a folder, by the path of the folder. `changelog`: articles that the list of the folder shows in full.',
    }),
  ignore: z
    .union(
      [ignorePattern.transform((pattern) => [pattern]), z.array(ignorePattern).max(MAX_PATTERNS)],
      IGNORE_RULE,
    )
    .default([])
    .meta({
      description:
        'Files that are left out, as patterns of a `.gitignore` file. `!` before a pattern takes back one of the usual ones, e.g. `!TODO.md`.',
    }),
})

/** The field `types` alone, which is needed to read pages even if other fields are invalid; null if it is invalid itself. */
export function readTypes(written: JsonObject): SiteFields['types'] | null {
  return SITE_SCHEMA.shape.types.safeParse(written['types']).data ?? null
}

/** The field `ignore` alone, which decides the files of the folder. Empty if it is invalid. */
export function readIgnore(written: JsonObject): SiteFields['ignore'] {
  return SITE_SCHEMA.shape.ignore.safeParse(written['ignore']).data ?? []
}

/** The field `skip_links` alone. Empty if it is invalid. */
export function readSkipLinks(written: JsonObject): SiteFields['skipLinks'] {
  return SITE_SCHEMA.shape.skip_links.safeParse(written['skip_links']).data ?? []
}

/** @param source of `site.yaml`, for texts that YAML reads as numbers. */
export function readSiteFields(
  written: JsonObject,
  source: Pick<YamlSource, 'writtenAt'>,
): { fields: SiteFields } | { error: z.ZodError } {
  const result = parsedAsWritten(SITE_SCHEMA, withoutEmptyFields(trimmedFields(written), SITE_SCHEMA), source)
  if (!result.success) return { error: result.error }
  const {
    name,
    id,
    time_zone: timeZone,
    url: origin,
    types,
    edit_base: editBase,
    ignore,
    skip_links: skipLinks,
    avif,
    ...given
  } = result.data
  return {
    fields: {
      name,
      id,
      timeZone,
      origin,
      types,
      editBase,
      ignore,
      skipLinks,
      avif,
      settings: fieldsToSettings('file', given),
    },
  }
}

/** Everything but code is trimmed: code keeps its lines, so that an error in it names the right one. */
function trimmedFields({ custom_css: css, custom_head_html: head, ...fields }: JsonObject): JsonObject {
  return {
    ...(trimmed(fields) as JsonObject),
    ...(css !== undefined && { custom_css: css }),
    ...(head !== undefined && { custom_head_html: head }),
  }
}

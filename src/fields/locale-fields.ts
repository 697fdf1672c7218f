import { z } from 'zod'
import { LOCALE_SETTING_KEYS, MAX_BY_LOCALE_BYTES } from '../domain/by-locale.ts'
import { ruleOf } from '../domain/invalid-field.ts'
import { isJsonObject } from '../domain/json.ts'
import { readLanguageTag } from '../domain/language-tag.ts'
import { MAX_LOCALES } from '../domain/locale.ts'
import { type ByLocale, LOCALE_SETTINGS, type LocaleSettingKey, type Settings } from '../domain/settings.ts'
import { docsNav, footerLinks, legalLinks, navLinks, socialLinks } from './links.ts'
import { language } from './page-fields.ts'
import { href, line, name, text, zonedTimestamp } from './values.ts'

/**
 * The kind of addresses in a setting. `file`: the value is the address of an image. `link`: it is made of links, each
 * with a `href` and an `icon`. `media`: any text in it may be the address of a file. `html` and `css`: it is code,
 * which names files in its own way. `plain`: it has none.
 */
export type SettingContent = 'file' | 'link' | 'media' | 'html' | 'css' | 'plain'

/**
 * A setting, everywhere but in the templates: the settings resource, the `settings` of a project, `site.yaml`,
 * the database and the OpenAPI document are derived from this row.
 */
export interface SettingField<Value> {
  /** Name in the settings resource and of the database column. */
  readonly name: string
  /** Name in `site.yaml`, where it is not `name`. */
  readonly fileName?: string
  /** Name in the `settings` of a project; a setting without one is absent there. */
  readonly projectName?: string
  readonly holds: SettingContent
  /** Validates a value that a client or an author writes. */
  readonly schema: z.ZodType<Value>
  /** Describes a stored value in answers, which may be older than today's rules; a nullable text by default. */
  readonly answer?: z.ZodType
  readonly description: string
}

const shownLink = z.strictObject({
  label: z.string(),
  href: z.string(),
  external: z.boolean().optional(),
  icon: z.string().optional(),
})

/** The settings that single languages may have values of their own for. */
export const LOCALE_FIELDS: { readonly [Key in LocaleSettingKey]: SettingField<Settings[Key]> } = {
  siteName: {
    name: LOCALE_SETTINGS.siteName,
    holds: 'plain',
    schema: name(100).nullable(),
    description:
      'The name of the site in its header, feeds and link previews; null for the name of the project.',
  },
  metaTitle: {
    name: LOCALE_SETTINGS.metaTitle,
    holds: 'plain',
    schema: line(0, 60).nullable(),
    description: 'The title for search engines on pages without one of their own.',
  },
  metaDescription: {
    name: LOCALE_SETTINGS.metaDescription,
    projectName: 'meta_description',
    holds: 'plain',
    schema: text(160).nullable(),
    description: 'The description for search engines on pages without one of their own.',
  },
  footerText: {
    name: LOCALE_SETTINGS.footerText,
    holds: 'plain',
    schema: text(2000).nullable(),
    description: 'A text in the footer of each page.',
  },
  announcement: {
    name: LOCALE_SETTINGS.announcement,
    holds: 'link',
    schema: z.strictObject({
      text: line(0, 200),
      href: href.exactOptional(),
      until: zonedTimestamp.exactOptional(),
    }),
    answer: z.strictObject({ text: z.string(), href: z.string().optional(), until: z.string().optional() }),
    description:
      'A line above the header of each page, which may be a link. An empty `text` shows none. It ends at `until`.',
  },
  navLinks: {
    name: LOCALE_SETTINGS.navLinks,
    holds: 'link',
    schema: navLinks(z.strictObject),
    answer: z.array(z.union([shownMenu(), shownLink.extend({ style: z.string().optional() })])),
    description:
      'The links in the header of each page, at most 50. A link may have an `icon` and be a `button` (`style`); an entry with `links` is a menu, whose links may have a `description`.',
  },
  docsNav: {
    name: LOCALE_SETTINGS.docsNav,
    holds: 'link',
    schema: docsNav(z.strictObject, 'DocsNavEntry'),
    answer: z.array(shownDocsNavEntry()),
    description:
      'The sidebar of the docs: at most 2,000 entries, nested at most 8 levels deep. Empty: the sidebar follows from the pages.',
  },
  sharedFooter: {
    name: LOCALE_SETTINGS.sharedFooter,
    holds: 'link',
    schema: z.strictObject({
      links: footerLinks(z.strictObject).default([]),
      copyright: text(500).default(''),
      social: socialLinks(z.strictObject).exactOptional(),
      legal: legalLinks(z.strictObject).exactOptional(),
    }),
    answer: z.strictObject({
      links: z.array(shownFooterEntry()),
      copyright: z.string(),
      social: z
        .array(
          z.strictObject({ href: z.string(), label: z.string().optional(), icon: z.string().optional() }),
        )
        .optional(),
      legal: z.array(shownLink).optional(),
    }),
    description:
      'The footer of each page: links or groups of links, a copyright line, the profiles of the owner on other services (`social`), whose icons and names follow from their addresses, and links next to the copyright line (`legal`).',
  },
}

/** Settings by the codes of languages. Whether the site has these languages is checked where all settings are known. */
export function byLocale(): z.ZodType<ByLocale> {
  const own = z.strictObject(shapeOfLocale(({ schema }) => schema))
  // Languages and bytes are counted before they are validated, which costs far more and can fail for each of them.
  return z.preprocess(
    (given, context) => {
      const fault = faultOf(given)
      if (fault === null) return given
      context.addIssue({ code: 'custom', message: fault, ...ruleOf('wrong_length') })
      return z.NEVER
    },
    z.record(code, own, 'must be an object.'),
  ) as z.ZodType<ByLocale>
}

/** The tag of a language in its usual form, as `locales` has it. */
const code = language.transform((written) => readLanguageTag(written)?.tag ?? written)

function faultOf(given: unknown): string | null {
  if (!isJsonObject(given)) return null
  if (Object.keys(given).length > MAX_LOCALES) return `must have at most ${MAX_LOCALES} languages.`
  return Buffer.byteLength(JSON.stringify(given)) > MAX_BY_LOCALE_BYTES
    ? 'must be at most 256 KiB as JSON.'
    : null
}

/** The fields that describe the settings of one language in answers. */
export function shownLocaleSettings(): Readonly<Record<string, z.ZodType>> {
  return shapeOfLocale(({ answer = z.string().nullable() }) => answer)
}

function shapeOfLocale(
  schemaOf: (field: SettingField<unknown>) => z.ZodType,
): Readonly<Record<string, z.ZodType>> {
  const fields: Readonly<Record<LocaleSettingKey, SettingField<unknown>>> = LOCALE_FIELDS
  return Object.fromEntries(
    LOCALE_SETTING_KEYS.map((key) => {
      const { name, description } = fields[key]
      return [name, schemaOf(fields[key]).optional().meta({ description })]
    }),
  )
}

function shownDocsNavEntry() {
  const entry = z
    .strictObject({
      title: z.string(),
      slug: z.string().optional(),
      badge: z.string().optional(),
      icon: z.string().optional(),
      get children() {
        return z.array(entry).optional()
      },
    })
    .meta({ id: 'ShownDocsNavEntry' })
  return entry
}

function shownMenu() {
  const link = shownLink.extend({ description: z.string().optional() })
  return z.strictObject({ label: z.string(), links: z.array(link) })
}

function shownFooterEntry() {
  return z.union([z.strictObject({ title: z.string(), links: z.array(shownLink) }), shownLink])
}

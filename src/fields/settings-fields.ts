import { z } from 'zod'
import { brandingFaults } from '../domain/branding.ts'
import { dataFaults } from '../domain/data-faults.ts'
import { ruleOf } from '../domain/invalid-field.ts'
import { isJsonObject } from '../domain/json.ts'
import { directionOf, readLanguageTag } from '../domain/language-tag.ts'
import { type Locale, MAX_LOCALES } from '../domain/locale.ts'
import { MEASUREMENT_ID, MEASUREMENT_ID_RULE } from '../domain/measurement-id.ts'
import { MAX_FEED_GUID } from '../domain/page-limits.ts'
import { readSubroute, type SiteRoutes } from '../domain/route.ts'
import { LOCALE_SETTINGS, type Settings } from '../domain/settings.ts'
import { isVariableName, MAX_VARIABLE_LENGTH, MAX_VARIABLES, type Variables } from '../domain/variables.ts'
import { MAX_VERSIONS, type Version } from '../domain/version.ts'
import { byLocale, LOCALE_FIELDS, type SettingField, shownLocaleSettings } from './locale-fields.ts'
import { language } from './page-fields.ts'
import {
  converted,
  fileUrl,
  json,
  line,
  name,
  textOfBytes,
  url,
  WIDE_SUBROUTE_RULE,
  wideSubroute,
} from './values.ts'

export type SettingKey = keyof Settings

/** The size limit of custom CSS and of HTML for the head, each in bytes of UTF-8. */
export const MAX_CSS_BYTES = 51_200
const MAX_BRANDING_BYTES = 16 * 1024
const MAX_ROUTES = 500

/** The path of a page, without a trailing slash. */
const sitePath = converted((given) => {
  const target = readSubroute(given, 'wide')
  return target === null ? null : `/${target}`
}, `must be "/", or ${WIDE_SUBROUTE_RULE}.`)

/** `theme` is not checked against the installed themes here: only the service knows them. */
export const SETTINGS_FIELDS: { readonly [Key in SettingKey]: SettingField<Settings[Key]> } = {
  theme: {
    name: 'theme',
    projectName: 'theme',
    holds: 'plain',
    schema: line(1, 100),
    answer: z.string().meta({ examples: ['default'] }),
    description: 'The theme of the site: `default`, `dark`, `minimal`, or a custom one.',
  },
  faviconUrl: {
    name: 'favicon_url',
    projectName: 'favicon',
    holds: 'file',
    schema: fileUrl('ico', 'png', 'svg').nullable(),
    description: 'The icon in the browser tab: the URL of a .ico, .png or .svg file.',
  },
  logoUrl: {
    name: 'logo_url',
    fileName: 'logo',
    projectName: 'logo',
    holds: 'file',
    schema: fileUrl('png', 'jpg', 'jpeg', 'svg').nullable(),
    description: 'The picture in the header of each page: the URL of a .png, .jpg, .jpeg or .svg file.',
  },
  ogImageUrl: {
    name: 'og_image_url',
    projectName: 'social_image',
    holds: 'file',
    schema: url.nullable(),
    description: 'The picture of link previews for pages without one of their own.',
  },
  siteName: LOCALE_FIELDS.siteName,
  socialCards: {
    name: 'social_cards',
    holds: 'plain',
    schema: z.enum(['pages', 'none']),
    answer: z.string().meta({ examples: ['pages'] }),
    description:
      'Whether each page without a picture for link previews has one that is drawn of its title, the name of the site and its colour (`pages`), or none (`none`).',
  },
  mcp: {
    name: 'mcp',
    holds: 'plain',
    schema: z.enum(['read', 'none']),
    answer: z.string().meta({ examples: ['none'] }),
    description:
      'Whether agents may search and read the published site at `/mcp`, over the Model Context Protocol and without a key (`read`), or not (`none`). A change takes effect at once. A site in Data Mode has no `/mcp`.',
  },
  metaTitle: LOCALE_FIELDS.metaTitle,
  metaDescription: LOCALE_FIELDS.metaDescription,
  googleAnalyticsId: {
    name: 'google_analytics_id',
    projectName: 'google_analytics',
    holds: 'plain',
    schema: z
      .string()
      .regex(MEASUREMENT_ID, MEASUREMENT_ID_RULE)
      .meta({ examples: ['G-ABC1234567'] })
      .nullable(),
    description: 'A measurement id of Google Analytics, e.g. `G-ABC1234567`.',
  },
  customCss: {
    name: 'custom_css',
    projectName: 'custom_css',
    holds: 'css',
    schema: textOfBytes(MAX_CSS_BYTES)
      .refine((given) => !/<\/[a-z]|<!--/i.test(given), 'must not contain "</" before a letter, or "<!--".')
      .nullable(),
    description:
      'CSS that follows the CSS of the theme: at most 51,200 bytes, well-formed, nested at most 8 levels deep, without `@import`. URLs must be `https`, relative, or images and fonts in `data:` URLs. An error names its line and column.',
  },
  customHeadHtml: {
    name: 'custom_head_html',
    holds: 'html',
    schema: textOfBytes(MAX_CSS_BYTES).nullable(),
    description: 'HTML for the end of each `<head>`, at most 51,200 bytes. It is not changed or sanitised.',
  },
  footerText: LOCALE_FIELDS.footerText,
  announcement: LOCALE_FIELDS.announcement,
  navLinks: LOCALE_FIELDS.navLinks,
  docsNav: LOCALE_FIELDS.docsNav,
  sharedFooter: LOCALE_FIELDS.sharedFooter,
  branding: {
    name: 'branding',
    holds: 'plain',
    schema: branding(),
    answer: z.looseObject({}),
    description:
      '`primary_color`, `font`, and `lang`, the language of pages without one of their own; at most 16 KiB. Other keys are stored and have no effect.',
  },
  siteRoutes: {
    name: 'site_routes',
    holds: 'plain',
    schema: siteRoutes(),
    answer: z.record(z.string(), z.string()).meta({ examples: [{ docs: '/help' }] }),
    description:
      'Maps a subroute to the path that its pages are served under instead, e.g. `docs` to `/help`; `/` drops the subroute. At most 500 entries.',
  },
  data: {
    name: 'data',
    holds: 'media',
    schema: z.record(z.string(), json, 'must be an object.').superRefine((given, context) => {
      for (const { path, message } of dataFaults(given))
        context.addIssue({ code: 'custom', path: [...path], message })
    }),
    answer: z.looseObject({}),
    description:
      'Values by name that templates of a theme read as `it.data` on every page: at most 256 KiB as JSON, nested at most 16 levels deep. An object `authors` describes authors by their short names, which articles name: `name`, `bio`, `avatar`, `url`, and `links` of `label` and `href`. An object `glossary` explains `terms`. A change makes every live page stale.',
  },
  locales: {
    name: 'locales',
    holds: 'plain',
    schema: locales(),
    answer: z.array(
      z.strictObject({
        code: z.string(),
        label: z.string(),
        dir: z.string(),
        subroute: z.string(),
        home: z.string().optional(),
      }),
    ),
    description:
      'The languages of the site, at most 40. `code` is a language tag. `label` is its name in links. `subroute` is the start of the paths of its pages. `home` is the target of its logo and of the language switch; by default its front page. `dir` is the direction of writing; by default that of the code. The language without a subroute, or else the first one, is the default. Empty: the site has one language, `branding.lang`.',
  },
  byLocale: {
    name: 'by_locale',
    holds: 'link',
    schema: byLocale(),
    answer: z.record(z.string(), z.strictObject(shownLocaleSettings())),
    description: `Settings of single languages, by codes of \`locales\`, out of ${Object.values(
      LOCALE_SETTINGS,
    )
      .map((name) => `\`${name}\``)
      .join(
        ', ',
      )}. A page of a language has a setting from here, or else from the site. At most 256 KiB as JSON.`,
  },
  versions: {
    name: 'versions',
    holds: 'plain',
    schema: versions(),
    answer: z.array(
      z.strictObject({
        name: z.string(),
        label: z.string(),
        subroute: z.string(),
        latest: z.boolean(),
      }),
    ),
    description:
      'The versions of what the site documents, at most 40: `name` is for addresses of tools and search, `label` is what a switch shows (the name by default), `subroute` the start of the paths of its pages below those of their language, and `latest` is true for one. Pages of the others show a banner, are left to no search engine, and name the page of the latest version as canonical where there is one.',
  },
  variables: {
    name: 'variables',
    holds: 'plain',
    schema: variables(),
    answer: z.record(z.string(), z.string()).meta({ examples: [{ version: '2.4' }] }),
    description:
      'Texts by name that pages show where their Markdown, title or description has `{{ name }}`: at most 100, of up to 500 characters each. Code and names that are not declared stay as they are written.',
  },
  visits: {
    name: 'visits',
    holds: 'plain',
    schema: z.enum(['none', 'count'], 'must be none or count.'),
    answer: z.string().meta({ examples: ['none'] }),
    description:
      'Whether the server counts how often pages are read (`count`) or not (`none`). Nothing about visitors is stored. Pages count readers from their next publish on.',
  },
  mediaRefresh: {
    name: 'media_refresh',
    holds: 'plain',
    schema: z.enum(['auto', 'manual'], 'must be auto or manual.'),
    answer: z.string().meta({ examples: ['auto'] }),
    description:
      'Whether the service adds smaller pictures to live pages by itself when they come after the publish (`auto`), or the pages stay stale until they are published again (`manual`). It brings no edit along.',
  },
  logoDarkUrl: {
    name: 'logo_dark_url',
    fileName: 'logo_dark',
    holds: 'file',
    schema: fileUrl('png', 'jpg', 'jpeg', 'svg').nullable(),
    description: 'The logo on dark pages, as the URL of a file; null for the same as on light ones.',
  },
  feedGuid: {
    name: 'feed_guid',
    holds: 'plain',
    schema: line(1, MAX_FEED_GUID).nullable(),
    description:
      'The id of the feed of the site, such as that of a former site; the feeds of languages, blogs, authors and tags add their folder. Null for one that the first publish gives it for good.',
  },
}

/** The versions of a site: one of them is the latest. */
function versions(): z.ZodType<readonly Version[]> {
  const pattern = '^[A-Za-z0-9_.+-]{1,50}$'
  const version = z
    .strictObject({
      name: z
        .string()
        .regex(new RegExp(pattern), 'must have 1 to 50 letters, digits, ".", "-", "+" and "_".')
        .meta({ pattern, examples: ['2.0'] }),
      subroute: wideSubroute.default(''),
      label: name(50).exactOptional(),
      latest: z.boolean('must be true or false.').default(false),
    })
    .transform(({ name, label, subroute, latest }): Version => {
      return { name, label: label?.trim() ?? name, subroute, latest }
    })
  return z
    .array(version, 'must be a list of versions.')
    .max(MAX_VERSIONS, `must have at most ${MAX_VERSIONS} versions.`)
    .superRefine((given, context) => {
      const fault = (path: (string | number)[], message: string) =>
        context.addIssue({ code: 'custom', path, message })
      for (const [index, { name, subroute, latest }] of given.entries()) {
        const before = given.slice(0, index)
        if (before.some((other) => other.name === name)) fault([index, 'name'], `${name} is listed twice.`)
        if (before.some((other) => other.subroute === subroute))
          fault([index, 'subroute'], 'must differ from the subroutes of other versions.')
        if (latest && before.some((other) => other.latest))
          fault([index, 'latest'], 'must be true for one version only.')
      }
      if (given.length > 0 && !given.some(({ latest }) => latest))
        fault([], 'must name the latest version: write `latest: true` in one of them.')
    })
}

/** A language of a site. Its direction follows from its code. */
function locales(): z.ZodType<readonly Locale[]> {
  const locale = z
    .strictObject({
      code: language,
      label: name(50).meta({ examples: ['Français'] }),
      dir: z.enum(['ltr', 'rtl']).exactOptional(),
      subroute: wideSubroute.default(''),
      home: sitePath.exactOptional().meta({ examples: ['/fr/accueil'] }),
    })
    .transform(({ code, label, dir, subroute, home }): Locale => {
      const read = readLanguageTag(code)
      const usual = read === null ? 'ltr' : directionOf(read)
      const locale = { code: read?.tag ?? code, label: label.trim(), dir: dir ?? usual, subroute }
      return home === undefined ? locale : { ...locale, home }
    })
  return z
    .array(locale, 'must be a list of languages.')
    .max(MAX_LOCALES, `must have at most ${MAX_LOCALES} languages.`)
    .superRefine((given, context) => {
      for (const [index, { code, subroute }] of given.entries()) {
        const before = given.slice(0, index)
        if (before.some((other) => other.code.toLowerCase() === code.toLowerCase()))
          context.addIssue({ code: 'custom', path: [index, 'code'], message: `${code} is listed twice.` })
        if (before.some((other) => other.subroute === subroute))
          context.addIssue({
            code: 'custom',
            path: [index, 'subroute'],
            message:
              subroute === ''
                ? 'must not be empty: only one language has no subroute.'
                : `${subroute} is the subroute of another language.`,
          })
      }
    })
}

function variables(): z.ZodType<Variables> {
  return z
    .record(
      z
        .string()
        .refine(
          isVariableName,
          'must be letters, digits, "_", "." and "-", up to 64, without a digit first.',
        ),
      line(0, MAX_VARIABLE_LENGTH),
      'must be an object.',
    )
    .refine((given) => Object.keys(given).length <= MAX_VARIABLES, {
      error: `must have at most ${MAX_VARIABLES} entries.`,
      ...ruleOf('wrong_length'),
    })
}

function branding() {
  return z
    .record(z.string(), json, 'must be an object.')
    .superRefine((given, context) => {
      for (const { name, message } of brandingFaults(given))
        context.addIssue({ code: 'custom', path: [name], message })
    })
    .refine((given) => given['theme'] === undefined, {
      path: ['theme'],
      message: 'must be written as the setting theme.',
    })
    .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= MAX_BRANDING_BYTES, {
      error: 'must be at most 16 KiB.',
      ...ruleOf('wrong_length'),
    })
}

function siteRoutes(): z.ZodType<SiteRoutes> {
  // Entries are counted before they are validated, which costs far more and can fail for each of them.
  return z.preprocess(
    (given, context) => {
      if (!isJsonObject(given) || Object.keys(given).length <= MAX_ROUTES) return given
      context.addIssue({
        code: 'custom',
        message: `must have at most ${MAX_ROUTES} entries.`,
        ...ruleOf('wrong_length'),
      })
      return z.NEVER
    },
    z.record(wideSubroute, sitePath, 'must be an object.'),
  )
}

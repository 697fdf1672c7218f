import { UNKNOWN_LOCALE, unknownLocales } from '../domain/by-locale.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { DEFAULT_SETTINGS } from '../domain/settings.ts'
import { SETTINGS_FIELDS } from '../fields/settings-fields.ts'
import { SETTING_KEYS, settingFileName } from '../fields/settings-record.ts'
import { fieldError, fieldErrors } from './field-diagnostics.ts'
import { SITE_FILE } from './file-kind.ts'
import { type Addresses, noting } from './file-links.ts'
import { withSettingLinks } from './setting-links.ts'
import {
  readIgnore,
  readSiteFields,
  readSkipLinks,
  readTypes,
  SITE_SCHEMA,
  type SiteFields,
} from './site-fields.ts'
import { isParseIssue, readYaml, type YamlSource } from './yaml-source.ts'

export const MISSING_SITE_FILE = 'A content folder needs this file. It holds the name of the site.'

export interface SiteFileReading {
  /** Empty, apart from `types`, if the file has an error. */
  readonly fields: SiteFields
  readonly errors: readonly Diagnostic[]
  /** False if `types` is unknown. Pages must not be checked then: with other types they would have other errors. */
  readonly knowsTypes: boolean
  /** Attachments that it names, relative to the folder, sorted. */
  readonly attachments: readonly string[]
  /** The position of a value in `site.yaml`. */
  readonly placeOf: YamlSource['placeOf']
}

/**
 * @param text of `site.yaml`; undefined when there is no such file.
 * @param assets addresses of assets and attachments, which its images and links may name by their files.
 */
export function readSiteFile(text: string | undefined, assets: Addresses): SiteFileReading {
  if (text === undefined) {
    return refused(diagnostic('QN-NO-SITE-FILE', SITE_FILE, MISSING_SITE_FILE))
  }
  const source = readYaml(text, 1)
  if (isParseIssue(source)) return refused(diagnostic('QN-BAD-YAML', SITE_FILE, source.message, source))
  const written = source.value ?? {}
  if (!isJsonObject(written))
    return refused(fieldError('QN-BAD-YAML', SITE_FILE, source, [], 'The file must hold names and values.'))

  const { addresses, named } = noting(assets)
  const read = readSiteFields(withAssets(written, addresses), source)
  if ('fields' in read) {
    const unknown = unknownLocales({ ...DEFAULT_SETTINGS, ...read.fields.settings }).map((code) =>
      fieldError('QN-BAD-VALUE', SITE_FILE, source, ['by_locale', code], UNKNOWN_LOCALE),
    )
    if (unknown.length > 0) return { ...refused(...unknown), fields: read.fields, knowsTypes: true }
    return {
      fields: read.fields,
      errors: [],
      knowsTypes: true,
      attachments: named(),
      placeOf: source.placeOf,
    }
  }
  const nothing = refused(...fieldErrors(read.error, SITE_FILE, source, SITE_SCHEMA))
  const types = readTypes(written)
  return types === null ? nothing : { ...nothing, fields: { ...nothing.fields, types }, knowsTypes: true }
}

/** The patterns of `ignore`. Empty for a text with an error there, which `readSiteFile` reports. */
export function ignorePatterns(text: string): SiteFields['ignore'] {
  const source = readYaml(text, 1)
  return isParseIssue(source) || !isJsonObject(source.value) ? [] : readIgnore(source.value)
}

/** The types of pages by folder. Empty for a text with an error there, which `readSiteFile` reports. */
export function siteTypes(text: string): SiteFields['types'] {
  const source = readYaml(text, 1)
  return isParseIssue(source) || !isJsonObject(source.value) ? {} : (readTypes(source.value) ?? {})
}

/** The addresses of `skip_links`. Empty for a text with an error there, which `readSiteFile` reports. */
export function skippedLinks(text: string): SiteFields['skipLinks'] {
  const source = readYaml(text, 1)
  return isParseIssue(source) || !isJsonObject(source.value) ? [] : readSkipLinks(source.value)
}

function refused(...errors: Diagnostic[]): SiteFileReading {
  return {
    fields: {
      name: '',
      origin: null,
      settings: {},
      types: {},
      editBase: null,
      ignore: [],
      skipLinks: [],
      avif: false,
      id: null,
      timeZone: null,
    },
    errors,
    knowsTypes: false,
    attachments: [],
    placeOf: () => ({ line: 1, column: 1 }),
  }
}

/** Settings with the addresses of their files. Code stays as it is written: its files are noted, and become part of the site. */
function withAssets(written: JsonObject, addresses: Addresses): JsonObject {
  const fields = Object.entries(written).map(([name, value]) => {
    const key = SETTING_KEYS.find((key) => settingFileName(key) === name)
    if (key === undefined) return [name, value]
    const { holds } = SETTINGS_FIELDS[key]
    const resolved = withSettingLinks(value, holds, SITE_FILE, addresses)
    return [name, holds === 'html' || holds === 'css' ? value : resolved]
  })
  return Object.fromEntries(fields) as JsonObject
}

import { posix } from 'node:path'
import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { brandingOf, listOf, logoPath, navLink, objectOf, textOf } from '../config/config-values.ts'
import { folderBelow } from '../config/configured-folder.ts'
import { readDataFile } from '../config/data-file.ts'
import { serviceName } from '../config/service-names.ts'
import { defined } from '../config/source-config.ts'
import type { SourceFiles } from '../conversion.ts'

/** Fields that are converted or only control the build. */
const CONVERTED = new Set([
  'site_name',
  'site_url',
  'site_description',
  'site_author',
  'docs_dir',
  'nav',
  'theme',
  'plugins',
  'markdown_extensions',
  'copyright',
  'repo_name',
  'repo_url',
  'edit_uri',
  'use_directory_urls',
  'exclude_docs',
  'draft_docs',
  'not_in_nav',
  'extra',
  'validation',
  'strict',
  'dev_addr',
  'watch',
  'site_dir',
])

/** Configurations that inherit from others in a circle would never end. */
const MAX_INHERITED = 10

/** A configuration with its inherited fields. Its own fields win, also in nested objects. */
export function inheritedConfig(
  files: SourceFiles,
  path: string,
  diagnostics: Diagnostic[],
  depth = 0,
): JsonObject {
  const { INHERIT: parent, ...own } = readDataFile(files, path, diagnostics, 'The configuration')
  const name = textOf(parent)
  if (name === undefined) return own
  const file = folderBelow(posix.dirname(path), name)
  if (file === null || !files.paths.includes(file) || depth === MAX_INHERITED) {
    const message = `\`INHERIT\` names \`${name}\`, which is not in the folder that is converted.`
    diagnostics.push(diagnostic('QN-NOT-CONVERTED', path, message, { field: 'INHERIT' }))
    return own
  }
  return merged(inheritedConfig(files, file, diagnostics, depth + 1), own)
}

function merged(outer: JsonObject, own: JsonObject): JsonObject {
  const fields = Object.entries(own).map(([name, value]) => {
    const above = Object.hasOwn(outer, name) ? outer[name] : undefined
    return [name, isJsonObject(above) && isJsonObject(value) ? merged(above, value) : value] as const
  })
  return { ...outer, ...Object.fromEntries(fields) }
}

/** The options of a plugin or an extension. Null when the site does not use it. */
export function optionsOf(list: JsonValue | undefined, name: string): JsonObject | null {
  const entries = Array.isArray(list)
    ? list
    : Object.entries(objectOf(list)).map(([key, value]) => ({ [key]: value }))
  for (const entry of entries) {
    if (entry === name || entry === `material/${name}`) return {}
    if (!isJsonObject(entry)) continue
    const key = [name, `material/${name}`].find((each) => Object.hasOwn(entry, each))
    if (key !== undefined) return objectOf(entry[key])
  }
  return null
}

/** The fields of `site.yaml`. */
export function siteFields(config: JsonObject): JsonObject {
  const theme = objectOf(config['theme'])
  const toRoot = (path: JsonValue | undefined) => textOf(path)?.replace(/^(?!https?:|\/)/, '/')
  const social = listOf(objectOf(config['extra'])['social']).flatMap(({ link, name, icon }) => {
    const href = textOf(link)
    const icons = textOf(icon)
    const label = icons === undefined ? (href === undefined ? undefined : hostOf(href)) : serviceName(icons)
    return navLink(textOf(name) ?? label, href) ?? []
  })
  const repository = navLink(config['repo_name'] ?? 'Repository', config['repo_url'])
  const links = repository === null ? social : [repository, ...social]
  const url = textOf(config['site_url'])
  const favicon = toRoot(theme['favicon'])
  return defined({
    name: textOf(config['site_name']),
    url: url !== undefined && /^https?:\/\//.test(url) ? url : undefined,
    meta_description: textOf(config['site_description'])?.replace(/\s+/g, ' '),
    logo: logoPath(toRoot(theme['logo'])),
    favicon_url: favicon !== undefined && /\.(ico|png|svg)$/i.test(favicon) ? favicon : undefined,
    footer_text: textOf(config['copyright'])
      ?.replace(/<[^<>]*>/g, '')
      .replaceAll('&copy;', '©'),
    nav_links: links.length === 0 ? undefined : links,
    branding: brandingOf(theme['language']),
  })
}

function hostOf(href: string): string {
  return parseUrl(href)?.hostname ?? href
}

/** Names of the fields that are not converted. */
export function skippedFields(config: JsonObject): readonly string[] {
  return Object.keys(config).filter((name) => !CONVERTED.has(name))
}

/** Patterns in the form of `.gitignore`, one a line, as `matchesAnyGlob` takes them. */
export function patternsOf(value: JsonValue | undefined): readonly string[] {
  const lines = (textOf(value) ?? '').split(/\r?\n/).map((line) => line.trim())
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [sign, pattern] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line]
      const anywhere = pattern.replace(/\/$/, '').includes('/') ? pattern.replace(/^\//, '') : `**/${pattern}`
      return pattern.endsWith('/')
        ? [`${sign}${anywhere}**`]
        : [`${sign}${anywhere}`, `${sign}${anywhere}/**`]
    })
}

import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../domain/json.ts'
import { sitePrefix } from '../domain/project.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings.ts'
import { settingsToFields } from '../fields/settings-record.ts'
import { writeYaml } from '../page-text/write-yaml.ts'
import type { ExportedProject } from './exported-project.ts'

/** Replaces a name that a content folder cannot have. */
const PLACEHOLDER_NAME = 'Site'

/** The text of `site.yaml`: the name and all settings that differ from their default. */
export function siteText({ name, settings, details }: ExportedProject, omitted: ReadonlySet<string>): string {
  const { customDomain } = details.hosting
  const written: JsonObject = {
    ...(customDomain !== null && { url: `https://${customDomain}${sitePrefix(details.hosting)}` }),
    ...settingsToFields('file', ownSettings(settings)),
  }
  const included = Object.entries(written).filter(([field]) => !omitted.has(field))
  return writeYaml({ name: omitted.has('name') ? PLACEHOLDER_NAME : name, ...Object.fromEntries(included) })
}

/** The settings that differ from their default. */
export function ownSettings(settings: Settings): Partial<Settings> {
  const keys = Object.keys(DEFAULT_SETTINGS) as readonly (keyof Settings)[]
  const own = keys.filter((key) => !isDeepStrictEqual(settings[key], DEFAULT_SETTINGS[key]))
  return Object.fromEntries(own.map((key) => [key, settings[key]]))
}

import type { Diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject } from '../../domain/json.ts'
import { brandingOf, objectOf, textOf } from '../config/config-values.ts'
import { defined } from '../config/source-config.ts'
import type { SourceFiles } from '../conversion.ts'
import { dataFiles } from '../liquid/values.ts'
import { readProgram } from '../program/source-program.ts'

/** Usual names of the data file about the site. */
const SITE_NAMES = ['site', 'metadata', 'meta', 'config']

/** Values of the data folder for templates, by the paths of its files. Programs are read but not run. */
export function eleventySiteData(files: SourceFiles, folder: string, diagnostics: Diagnostic[]): JsonObject {
  const programs = files.paths.flatMap((path): [string, JsonObject][] => {
    const name = path.startsWith(folder) ? /^(\w+)\.[cm]?js$/.exec(path.slice(folder.length))?.[1] : undefined
    if (name === undefined) return []
    const { config } = readProgram(files.text(path) ?? '')
    return Object.keys(config).length === 0 ? [] : [[name, config]]
  })
  return { ...Object.fromEntries(programs), ...dataFiles(files, folder, diagnostics) }
}

/** The fields of `site.yaml`, where a data file of a usual name has them. */
export function eleventySiteFields(data: JsonObject): JsonObject {
  const given = objectOf(SITE_NAMES.map((name) => data[name]).find((each) => textOf(objectOf(each)['title'])))
  const url = textOf(given['url'])
  return defined({
    name: textOf(given['title']),
    url: url !== undefined && /^https?:\/\//.test(url) ? url : undefined,
    meta_description: textOf(given['description']),
    branding: brandingOf(given['language'] ?? given['lang']),
  })
}

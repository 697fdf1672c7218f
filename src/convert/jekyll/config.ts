import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { matchesGlob } from '../files/source-glob.ts'

const CONFIG = '_config.yml'

/** Fields of the configuration that are converted. */
const CONVERTED = new Set([
  'title',
  'description',
  'url',
  'baseurl',
  'lang',
  'locale',
  'defaults',
  'collections',
  'permalink',
])
/** Fields of the configuration that only control the build. They are left out without a report. */
const BUILD_OPTIONS = new Set([
  'markdown',
  'kramdown',
  'highlighter',
  'sass',
  'liquid',
  'plugins',
  'plugins_dir',
  'gems',
  'whitelist',
  'include',
  'exclude',
  'keep_files',
  'source',
  'destination',
  'theme',
  'remote_theme',
  'encoding',
  'safe',
  'port',
  'host',
  'livereload',
  'incremental',
  'future',
  'unpublished',
  'show_drafts',
  'limit_posts',
  'timezone',
  'repository',
  'github',
  'compress_html',
  'profile',
  'strict_front_matter',
  'layouts_dir',
  'includes_dir',
  'data_dir',
  'collections_dir',
])

/** Reports the fields of the configuration without a counterpart. */
export function configDiagnostics(fields: JsonObject): readonly Diagnostic[] {
  const others = Object.keys(fields).filter((name) => !CONVERTED.has(name) && !BUILD_OPTIONS.has(name))
  const leftOut = others.toSorted().map((name) => `\`${name}\``)
  return leftOut.length === 0
    ? []
    : [diagnostic('QN-NOT-CONVERTED', CONFIG, `Left out: ${leftOut.join(', ')}.`)]
}

/** Reports whether `exclude` names a file or a folder above it, and `include` does not. */
export function isExcluded(path: string, { exclude, include }: JsonObject): boolean {
  return isNamed(path, exclude) && !isNamed(path, include)
}

/** Reports whether Jekyll ignores the file because its name, or the name of a folder, begins with an underscore. */
export function isUnderscored(path: string, { include }: JsonObject): boolean {
  return path.split('/').some((name) => name.startsWith('_')) && !isNamed(path, include)
}

function isNamed(path: string, patterns: JsonValue | undefined): boolean {
  const names = path.split('/')
  const above = names.map((_, index) => names.slice(0, index + 1).join('/'))
  return [patterns ?? []]
    .flat()
    .some((pattern) => above.some((each) => matchesGlob(each, String(pattern).replace(/\/$/, ''))))
}

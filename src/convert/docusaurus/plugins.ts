import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import { matchesAnyGlob } from '../files/source-glob.ts'
import { type DocusaurusRedirects, docusaurusRedirects } from './redirects.ts'

/** The folder of a plugin's pages, and the path below which they are served. */
export interface DocusaurusPart {
  /** Without a trailing slash. */
  readonly folder: string
  /** The configuration does not name the folder. */
  readonly isUsual: boolean
  /** Without leading and trailing slashes. Empty for the root. */
  readonly base: string
  readonly options: JsonObject
}

export interface DocusaurusPlugins {
  /** The folders are relative to that of the configuration. */
  readonly docs: readonly DocusaurusPart[]
  readonly blogs: readonly DocusaurusPart[]
  readonly pages: readonly DocusaurusPart[]
  readonly redirects: DocusaurusRedirects
  /** Descriptions of plugins that have no counterpart. */
  readonly skipped: readonly string[]
}

interface Plugin {
  readonly name: string
  readonly options: JsonObject
}

const PRESET = /preset|classic/
const REDIRECTS = /client-redirects$/
/** Converted plugins, and plugins without effect on a built site. */
const CONVERTED =
  /(^|[/-])((preset-)?classic|content-(docs|blog|pages)|client-redirects|sitemap|debug|svgr|css-cascade-layers|rsdoctor|ideal-image|sass)$/
/** Options that determine pages and their paths. Other computed options are not reported. */
const DECISIVE =
  /^(?:presets|plugins)(?:\[\d+\])*(?:\.(?:docs|blog|pages|path|routeBasePath|sidebarPath|include|exclude|authorsMapPath|numberPrefixParser|sidebarItemsGenerator|redirects|createRedirects|fromExtensions|toExtensions)\b.*)?$/

/** The folders and addresses that the plugins of a configuration serve. */
export function docusaurusPlugins({ presets, plugins }: JsonObject): DocusaurusPlugins {
  const all = [...pluginsIn(presets), ...pluginsIn(plugins)]
  const given = all.filter(({ name }) => PRESET.test(name))
  const withPreset = given.length === 0 ? [{ name: 'classic', options: {} }] : given
  const parts = (name: 'docs' | 'blog' | 'pages', folder: string, base: string) => [
    ...withPreset.flatMap(({ options }: Plugin) =>
      options[name] === false ? [] : [partOf(objectOf(options[name]), folder, base)],
    ),
    ...all
      .filter((plugin) => plugin.name.endsWith(`content-${name}`))
      .map(({ options }) => partOf(options, folder, base)),
  ]
  return {
    docs: parts('docs', 'docs', 'docs'),
    blogs: parts('blog', 'blog', 'blog'),
    pages: parts('pages', 'src/pages', ''),
    redirects: docusaurusRedirects(
      all.filter(({ name }) => REDIRECTS.test(name)).map(({ options }) => options),
    ),
    skipped: all.flatMap(({ name }) => (CONVERTED.test(name) ? [] : [`the plugin ${name}`])),
  }
}

/** Reports whether a computed value of this name decides which pages exist. */
export function isDecisive(name: string): boolean {
  return !/^(presets|plugins)\b/.test(name) || DECISIVE.test(name)
}

function pluginsIn(given: JsonValue | undefined): readonly Plugin[] {
  return (Array.isArray(given) ? given : []).flatMap((entry) => {
    const [name, options] = Array.isArray(entry) ? entry : [entry]
    return typeof name === 'string' ? [{ name, options: objectOf(options) }] : []
  })
}

function partOf(options: JsonObject, folder: string, base: string): DocusaurusPart {
  const path = textOf(options['path'])
  return {
    folder: path ?? folder,
    isUsual: path === undefined,
    base: (textOf(options['routeBasePath']) ?? base).replace(/^\/+|\/+$/g, ''),
    options,
  }
}

/** Parts of other pages, and what the configuration excludes, are no pages of their own. */
export function isOwnPage(name: string, options: JsonObject): boolean {
  const patterns = (field: string) => (Array.isArray(options[field]) ? options[field].map(String) : undefined)
  const include = patterns('include') ?? ['**']
  const exclude = patterns('exclude') ?? ['**/_*.{js,jsx,ts,tsx,md,mdx}', '**/_*/**', '**/__tests__/**']
  return matchesAnyGlob(name, include) && !matchesAnyGlob(name, exclude)
}

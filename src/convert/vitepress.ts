import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { JsonObject } from '../domain/json.ts'
import { isAsset } from './asset-names.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { keepHeadingIds, vitepressId } from './heading-ids.ts'
import { bareName, routeOf } from './page-route.ts'
import { programDiagnostics } from './program-diagnostics.ts'
import { quotedTag } from './quoted-tag.ts'
import { splitSourcePage } from './source-front-matter.ts'
import { matchesAnyGlob } from './source-glob.ts'
import { convertFocus } from './vitepress-code.ts'
import { type VitepressConfig, vitepressConfig } from './vitepress-config.ts'
import { protectVPre } from './vitepress-verbatim.ts'

const CONFIG = /^(?:(.*)\/)?\.vitepress\/config(?:\/index)?\.(?:m?[jt]s)$/

/** VitePress: Markdown next to a `.vitepress` folder. The configuration is a program, which is not run. */
export const vitepress: Generator = {
  name: 'vitepress',
  title: 'VitePress',
  detects: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  protectVerbatim: protectVPre,
  rewrite: (body) => convertFocus(keepHeadingIds(body, vitepressId)),
  tags: [
    { pattern: /^\[\[toc\]\][ \t]*$/gim, replace: () => '' },
    { pattern: /<Badge\b[^<>]*(?<!\/)>([^<>]*)<\/Badge>/g, replace: ([, text = '']) => `**${text}**` },
    {
      pattern: /<Badge\b([^<>]*)\/>/g,
      replace: ([, attributes = '']) => {
        const text = /\btext="([^"]*)"/.exec(attributes)?.[1]
        return text === undefined ? null : `**${text}**`
      },
    },
    {
      pattern:
        /^<<<[ \t]*([^\s#{[]+)(?:#(\w[\w-]*))?(?:[ \t]*\{([^{}\n]*)\})?(?:[ \t]*(\[[^\]\n]*\]))?[ \t]*$/gm,
      replace: ([, name = '', region, options = '', title = ''], { textOf }) => {
        const text = textOf(name)
        const code = text === null ? null : region === undefined ? text : regionOf(text, region)
        return code === null ? null : fence(code, name, options, title)
      },
    },
    {
      pattern: /<!--[ \t]*@include:[ \t]*([^\s{}#<>]+)[ \t]*-->/g,
      replace: ([, name = ''], { textOf }) => {
        const text = textOf(name)
        return text === null ? null : splitSourcePage(text).body.trim()
      },
    },
    { pattern: /^<<<[ \t]*\S+.*$/gm, replace: () => null },
    { pattern: /<!--[ \t]*@include:[^<>\n]*-->/g, replace: () => null },
    {
      pattern: /^<(script|style)\b(?:(?!^<(?:script|style)\b)[\s\S])*?^<\/\1>[ \t]*$/gm,
      replace: () => null,
    },
    { pattern: /\{\{[^{}]*\}\}/g, replace: () => null },
    { pattern: /<\/[A-Z][^<>]*>/g, replace: () => '' },
    { pattern: /<[A-Z][^<>]*\/>/g, replace: () => null },
    {
      pattern: /<[A-Z][^<>]*>/g,
      replace: ([tag]) => ({
        text: '',
        message: `${quotedTag(tag)} is left out. The text inside of it stays.`,
      }),
    },
  ],
}

/** Files of the configuration of a language: next to its pages, or next to the main configuration. */
const LOCALE_CONFIG = /\.vitepress\/config\/([\w-]+)\.m?[jt]s$|(?:^|\/)([\w-]+)\/config\.m?[jt]s$/

function read(files: SourceFiles): SourceSite {
  const config = files.paths.find((path) => CONFIG.test(path)) ?? ''
  const root = prefixOf(CONFIG.exec(config)?.[1] ?? '')
  const text = files.text(config) ?? ''
  const contentRoot = prefixOf(
    `${root}${/\bsrcDir:\s*['"`]\.?\/?([^'"`]*)/.exec(text)?.[1] ?? ''}`.replace(/\/$/, ''),
  )
  const rewritten = /['"]([\w-]+\/):rest\*['"]\s*:\s*['"]:rest\*['"]/.exec(text)?.[1] ?? '/'
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const read = vitepressConfig(text, localeConfigs(files, root, contentRoot, config))
  const diagnostics: Diagnostic[] = []
  if (config !== '') diagnostics.push(...programDiagnostics(config, read.skipped, 'The configuration is'))
  for (const path of files.paths) {
    if (!path.startsWith(contentRoot) || /(^|\/)\./.test(path)) continue
    const name = path.slice(contentRoot.length)
    const served = name.startsWith(rewritten) ? name.slice(rewritten.length) : name
    if (/\[[^\]]+\]/.test(name))
      diagnostics.push(
        diagnostic('QN-NOT-CONVERTED', path, 'The file generates pages from data. It is left out.'),
      )
    else if (name.endsWith('.md') && matchesAnyGlob(name, read.srcExclude))
      diagnostics.push(
        diagnostic(
          'QN-HIDDEN-PAGE',
          path,
          '`srcExclude` of the configuration names the file. It is left out.',
        ),
      )
    else if (name.endsWith('.md')) pages.set(path, targetOf(served, read))
    else if (name.startsWith('public/')) assets.set(path, name.slice('public/'.length))
    else if (isAsset(name)) assets.set(path, name)
  }
  return {
    contentRoot,
    fields: withLanguages(read, pages),
    base: read.base,
    pages,
    assets,
    order: read.nav.length === 0 ? orderOf(text) : new Map(),
    nav: read.nav,
    diagnostics,
  }
}

function targetOf(served: string, { languages, cleanUrls }: VitepressConfig): PageTarget {
  const lang = languages.get(served.split('/')[0] ?? '')
  const bare = served.replace(/\.md$/, '')
  const isIndex = /(^|\/)index$/.test(bare)
  return {
    route: routeOf(bareName(served)),
    type: bareName(served) === '' ? 'page' : 'docs',
    originalPath: `/${isIndex ? bare.slice(0, -'index'.length) : cleanUrls ? bare : `${bare}.html`}`,
    ...(lang !== undefined && { lang }),
  }
}

/** The configurations of languages, by the names of their folders. */
function localeConfigs(
  files: SourceFiles,
  root: string,
  contentRoot: string,
  main: string,
): ReadonlyMap<string, string> {
  const found = files.paths.flatMap((path): [string, string][] => {
    const isPart =
      path.startsWith(`${root}.vitepress/config/`) ||
      /^[\w-]+\/config\.m?[jt]s$/.test(path.slice(contentRoot.length))
    const name = LOCALE_CONFIG.exec(path)
      ?.slice(1)
      .find((part) => part !== undefined)
    const hasPages = files.paths.some(
      (each) => each.startsWith(`${contentRoot}${name}/`) && each.endsWith('.md'),
    )
    return isPart && path !== main && name !== undefined && hasPages ? [[name, files.text(path) ?? '']] : []
  })
  return new Map(found)
}

/** Fields of `site.yaml` with a link to the front page of each other language. */
function withLanguages(
  { fields, labels }: VitepressConfig,
  pages: ReadonlyMap<string, PageTarget>,
): JsonObject {
  const fronts = [...labels].filter(([name]) => [...pages.values()].some(({ route }) => route === name))
  if (fronts.length === 0) return fields
  const own = Array.isArray(fields['nav_links']) ? fields['nav_links'] : []
  return {
    ...fields,
    nav_links: [...own, ...fronts.map(([name, label]) => ({ label, href: `/${name}` }))],
  }
}

/** Fences the text of a file. `{1,3 ts:line-numbers}` marks lines and names a language. */
function fence(code: string, name: string, options: string, title: string): string {
  const lines = /^[\d,\s-]+(?=\s|$)/.exec(options)?.[0].trim()
  const language = /[a-z][\w+#-]*(?::[\w-]+)?$/i.exec(options)?.[0] ?? name.split('.').at(-1) ?? ''
  const backticks = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  const info = [`${language}${lines ? `{${lines}}` : ''}`, title].filter((part) => part !== '').join(' ')
  return `${backticks}${info}\n${code.replace(/\n?$/, '\n')}${backticks}`
}

/** The lines between `#region name` and `#endregion`, without their common indent. Null when the region is missing. */
function regionOf(text: string, name: string): string | null {
  const lines = text.split('\n')
  const begins = lines.findIndex((line) => new RegExp(`#?region\\s+${name}\\b`).test(line))
  const length = lines.slice(begins + 1).findIndex((line) => /#?endregion\b/.test(line))
  if (begins === -1 || length === -1) return null
  const region = lines.slice(begins + 1, begins + 1 + length)
  const indents = region
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0)
  const indent = Math.min(...indents)
  return region.map((line) => line.slice(indent)).join('\n')
}

function prefixOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`
}

/** The position of each page in the sidebars, by route. */
function orderOf(config: string): ReadonlyMap<string, number> {
  const order = new Map<string, number>()
  for (const [, , link = ''] of config.matchAll(/\blink:\s*(['"`])\/?([^'"`#?]*)/g)) {
    const route = routeOf(bareName(link.replace(/\/$/, '')))
    if (!/^[a-z]+:/.test(link) && !order.has(route)) order.set(route, order.size + 1)
  }
  return order
}

import type { Generator, Loss, PageTarget, SourceFiles, SourceSite } from './conversion.ts'
import { bareName, routeOf } from './page-route.ts'
import { splitSourcePage } from './source-front-matter.ts'
import { vitepressConfig } from './vitepress-config.ts'

const CONFIG = /^(?:(.*)\/)?\.vitepress\/config(?:\/index)?\.(?:m?[jt]s)$/

/** VitePress: Markdown beside a `.vitepress` folder, whose configuration is a program and is not run. */
export const vitepress: Generator = {
  name: 'vitepress',
  title: 'VitePress',
  detects: ({ paths }) => paths.some((path) => CONFIG.test(path)),
  read,
  protectVerbatim: protectVPre,
  tags: [
    { pattern: /^\[\[toc\]\][ \t]*$/gim, replace: () => '' },
    {
      pattern: /<Badge\b[^<>]*?\btext="([^"]*)"[^<>]*?\/>/g,
      replace: ([, text = '']) => `**${text}**`,
    },
    { pattern: /<Badge\b[^<>]*>([^<>]*)<\/Badge>/g, replace: ([, text = '']) => `**${text}**` },
    {
      pattern: /^<<<[ \t]*([^\s#{[]+)(?:#(\w[\w-]*))?[ \t]*(?:\{([^{}\n]*)\})?[ \t]*(\[[^\]\n]*\])?[ \t]*$/gm,
      replace: ([, name = '', region, options = '', title = ''], { textOf }) => {
        const text = textOf(name)
        const code = text === null ? null : region === undefined ? text : regionOf(text, region)
        return code === null ? null : fence(code, name, options, title)
      },
    },
    {
      pattern: /<!--[ \t]*@include:[ \t]*([^\s{}#]+)[ \t]*-->/g,
      replace: ([, name = ''], { textOf }) => {
        const text = textOf(name)
        return text === null ? null : splitSourcePage(text).body.trim()
      },
    },
    { pattern: /^<<<[ \t]*\S+.*$/gm, replace: () => null },
    { pattern: /<!--[ \t]*@include:.*?-->/g, replace: () => null },
    { pattern: /^<(script|style)\b[\s\S]*?^<\/\1>[ \t]*$/gm, replace: () => null },
    { pattern: /\{\{[^{}]*\}\}/g, replace: () => null },
    { pattern: /<\/[A-Z][\w.]*\b[^<>]*>/g, replace: () => '' },
    { pattern: /<[A-Z][\w.]*\b[^<>]*\/>/g, replace: () => null },
    {
      pattern: /<[A-Z][\w.]*\b[^<>]*>/g,
      replace: ([tag]) => ({ text: '', message: `${tag.slice(0, 80)}: left out; the text in it stayed` }),
    },
  ],
}

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
  const { fields, languages, skipped } = vitepressConfig(text)
  const losses: Loss[] =
    skipped.length === 0 || config === ''
      ? []
      : [
          {
            file: config,
            line: null,
            what: `The configuration is a program, which is read and not run. Left out: ${skipped.join(', ')}.`,
          },
        ]
  for (const path of files.paths) {
    if (!path.startsWith(contentRoot) || /(^|\/)\./.test(path)) continue
    const name = path.slice(contentRoot.length)
    const place = name.startsWith(rewritten) ? name.slice(rewritten.length) : name
    if (/\[[^\]]+\]/.test(name)) losses.push({ file: path, line: null, what: 'It makes pages from data.' })
    else if (name.endsWith('.md')) {
      const lang = languages.get(place.split('/')[0] ?? '')
      pages.set(path, {
        route: routeOf(bareName(place)),
        type: bareName(place) === '' ? 'page' : 'docs',
        ...(lang !== undefined && { lang }),
      })
    } else if (name.startsWith('public/')) assets.set(path, name.slice('public/'.length))
    else if (/\.(png|jpe?g|gif|svg|webp|avif|ico|pdf|mp4|webm)$/i.test(name)) assets.set(path, name)
  }
  return { contentRoot, fields, pages, assets, order: orderOf(text), losses }
}

/** Fenced code, a code span, a container `v-pre`, or an element with this attribute: whichever begins first holds the others. */
const PRE = new RegExp(
  [
    /^[ \t]*(?<fence>`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t]*\k<fence>[`~]*[ \t]*$/,
    /(?<span>`+)(?:[^`]|(?!\k<span>(?!`))`)+?\k<span>(?!`)/,
    /^(?<indent>[ \t]*)(?<colons>:{3,})[ \t]*v-pre[ \t]*\n(?<held>[\s\S]*?)^\k<indent>\k<colons>[ \t]*$/,
    /<(?<name>[a-z]\w*)(?<before>(?:\s[^<>]*)?)\sv-pre(?:="")?(?<after>(?:\s[^<>]*)?)>(?<inner>[\s\S]*?)<\/\k<name>>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/** What stands in a container or an element `v-pre` is to be read as it is; code is that anyway. */
function protectVPre(body: string, keep: (text: string) => string): string {
  const kept = (text: string) => text.replace(/\{\{[\s\S]*?\}\}/g, keep)
  return body.replace(PRE, (whole: string, ...found: unknown[]) => {
    const { held, name, before, after, inner } = found.at(-1) as Readonly<Record<string, string | undefined>>
    if (held !== undefined) return `\n${kept(held)}`
    return name === undefined ? whole : `<${name}${before}${after}>${kept(inner ?? '')}</${name}>`
  })
}

/** A file as a fenced block; `{1,3 ts:line-numbers}` names lines and a language. */
function fence(code: string, name: string, options: string, title: string): string {
  const lines = /^[\d,\s-]+(?=\s|$)/.exec(options)?.[0].trim()
  const language = /[a-z][\w+#-]*(?::[\w-]+)?$/i.exec(options)?.[0] ?? name.split('.').at(-1) ?? ''
  const marks = '`'.repeat(Math.max(3, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  const info = [`${language}${lines ? `{${lines}}` : ''}`, title].filter((part) => part !== '').join(' ')
  return `${marks}${info}\n${code.replace(/\n?$/, '\n')}${marks}`
}

/** The lines between `#region name` and `#endregion`; null when there are none. */
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

/** Sidebars name pages in the order they are read. */
function orderOf(config: string): ReadonlyMap<string, number> {
  const order = new Map<string, number>()
  for (const [, , link = ''] of config.matchAll(/\blink:\s*(['"`])\/?([^'"`#?]*)/g)) {
    const route = routeOf(bareName(link.replace(/\/$/, '')))
    if (!/^[a-z]+:/.test(link) && !order.has(route)) order.set(route, order.size + 1)
  }
  return order
}

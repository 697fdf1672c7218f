import { posix } from 'node:path'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import type { FormerFiles, FormerSite, Generator, Loss, Place } from './conversion.ts'
import { defined, readToml, readYaml } from './former-config.ts'
import { splitFormer } from './former-front-matter.ts'
import { bareName, foldersOf, routeOf } from './place.ts'

const CONFIG = /^(?:config\/_default\/)?(?:hugo|config)\.(toml|yaml|yml|json)$/
/** Sections that hold articles wherever people write them. */
const ARTICLES = /^(posts?|blog|news|articles?|notes?|journal)(\/|$)/i

/** Hugo: Markdown beneath `content`. */
export const hugo: Generator = {
  name: 'hugo',
  title: 'Hugo',
  owns: ({ paths }) =>
    paths.some((path) => CONFIG.test(path)) && paths.some((path) => path.startsWith('content/')),
  read,
  constructs: [
    {
      pattern: /\{\{[<%]\s*(?:rel)?ref\s+"?([^"\s>%]+)"?\s*[>%]\}\}/g,
      replace: ([, name = ''], { linkTo }) => linkTo(name),
    },
    {
      pattern: /\{\{[<%]\s*figure\s+([^{}]*?)\/?\s*[>%]\}\}/g,
      replace: ([, given = ''], { linkTo }) => {
        const { src, alt, caption, title } = argumentsOf(given)
        if (src === undefined) return null
        return `![${alt ?? caption ?? title ?? ''}](${linkTo(src) ?? src})${caption === undefined ? '' : `\n\n*${caption}*`}`
      },
    },
    {
      pattern: /\{\{[<%]\s*youtube\s+(?:id=)?"?([\w-]+)"?[^{}]*[>%]\}\}/g,
      replace: ([, id = '']) => `[https://youtu.be/${id}](https://youtu.be/${id})`,
    },
    { pattern: /\{\{[<%]\s*\/?\*[^{}]*\*\/\s*[>%]\}\}/g, replace: () => '' },
    { pattern: /\{\{[<%][^{}]*[>%]\}\}/g, replace: () => null },
  ],
}

function read(files: FormerFiles): FormerSite {
  const { config, losses } = configOf(files)
  const pages = new Map<string, Place>()
  const assets = new Map<string, string>()
  const source = sourceOf(files, config)
  const nameOf = (path: string) =>
    path.startsWith(source) ? path.slice(source.length) : path.slice('content/'.length)
  const bundles = new Set(
    files.paths.flatMap((path) => (path.endsWith('/index.md') ? [posix.dirname(nameOf(path))] : [])),
  )
  for (const path of files.paths) {
    if (path.startsWith('static/')) assets.set(path, path.slice('static/'.length))
    if (!path.startsWith('content/')) continue
    const name = nameOf(path)
    if (/\.(md|markdown)$/.test(name)) {
      const place = placeOf(name, files.text(path) ?? '')
      const isPartOfBundle =
        !name.endsWith('/index.md') && foldersOf(name).some((folder) => bundles.has(folder))
      if (isPartOfBundle)
        losses.push({ file: path, line: null, what: 'It is a part of a page bundle, not a page.' })
      else pages.set(path, place)
    } else if (name.endsWith('.html')) losses.push({ file: path, line: null, what: 'It is a page in HTML.' })
    else assets.set(path, name)
  }
  for (const folder of ['layouts', 'data', 'i18n']) {
    const count = files.paths.filter((path) => path.startsWith(`${folder}/`)).length
    if (count > 0) losses.push({ file: folder, line: null, what: `${count} files of the theme or its data.` })
  }
  return { source, fields: siteFields(config), pages, assets, order: new Map(), losses }
}

/** The pages of the main language may lie in a folder of their own, and are served without its name. */
function sourceOf({ paths }: FormerFiles, { defaultContentLanguage }: JsonObject): string {
  const own = `content/${String(defaultContentLanguage ?? 'en')}/`
  return paths.some((path) => path.startsWith(own) && path.endsWith('.md')) ? own : 'content/'
}

function placeOf(name: string, text: string): Place {
  const { fields } = splitFormer(text)
  const bare = bareName(name)
  const own = typeof fields['url'] === 'string' ? fields['url'] : null
  const slug = typeof fields['slug'] === 'string' ? fields['slug'] : null
  const named = slug === null || bare === '' ? bare : [...bare.split('/').slice(0, -1), slug].join('/')
  const isSection = /(^|\/)_index\.(md|markdown)$/.test(name)
  const isArticle = !isSection && (ARTICLES.test(name) || fields['date'] !== undefined) && name.includes('/')
  return { route: routeOf(own ?? named), type: bare === '' ? 'page' : isArticle ? 'article' : 'docs' }
}

function configOf(files: FormerFiles): { config: JsonObject; losses: Loss[] } {
  const path = files.paths.find((name) => CONFIG.test(name)) ?? ''
  const text = files.text(path) ?? ''
  const read = path.endsWith('.toml') ? readToml(text) : readYaml(text)
  if (typeof read !== 'string') return { config: read, losses: [] }
  return { config: {}, losses: [{ file: path, line: null, what: `It cannot be read: ${read}` }] }
}

function siteFields(config: JsonObject): JsonObject {
  const params = isJsonObject(config['params']) ? config['params'] : {}
  const menus = config['menus'] ?? config['menu']
  const main = isJsonObject(menus) && Array.isArray(menus['main']) ? menus['main'] : []
  const links = main.filter(isJsonObject).flatMap((entry) => {
    const [label, href] = [entry['name'], entry['url'] ?? entry['pageRef']]
    return typeof label === 'string' && typeof href === 'string'
      ? [{ label, href, weight: Number(entry['weight'] ?? 0) }]
      : []
  })
  const lang = config['languageCode'] ?? config['defaultContentLanguage']
  return defined({
    name: config['title'],
    url:
      typeof config['baseURL'] === 'string' && /^https?:\/\//.test(config['baseURL'])
        ? config['baseURL']
        : undefined,
    meta_description: params['description'],
    nav_links:
      links.length === 0
        ? undefined
        : links.sort((a, b) => a.weight - b.weight).map(({ label, href }) => ({ label, href })),
    branding: typeof lang === 'string' && !/^en\b/i.test(lang) ? { lang } : undefined,
  })
}

/** `src="a.png" alt="A"` by name. */
function argumentsOf(text: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=(?:"([^"]*)"|`([^`]*)`|(\S+))/g)].map(([, name, ...values]) => [
      name,
      values.find((value) => value !== undefined),
    ]),
  )
}

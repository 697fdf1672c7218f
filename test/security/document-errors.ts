import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Element, ElementContent, Root, RootContent } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { THEME_FOLDERS } from '../../src/platform/package-paths.ts'
import { PREFETCH_RULES } from '../../src/render/page/head-view.ts'
import { renderNotFound } from '../../src/render/site-files/not-found.ts'
import { loadThemes } from '../../src/theme/load-theme.ts'
import { anyLivePage } from '../support/live-page.ts'

const reader = unified().use(rehypeRaw)

/** The inline scripts of `404.html`, which are the same for every site. */
const OWN_SCRIPTS = new Set(
  [...(await loadThemes(THEME_FOLDERS)).values()].map((theme) => {
    const [site] = fc.sample(anyLivePage(), 1)
    if (site === undefined) throw new Error('fast-check returned no sample.')
    return /<script>(.*?)<\/script>/s.exec(
      Buffer.from(renderNotFound(site, null, theme).body).toString(),
    )?.[1]
  }),
)

/** Parses the document as HTML, including templates, and lists everything that is not allowed. */
export function documentErrors(html: string): readonly string[] {
  const root: Root = { type: 'root', children: [{ type: 'doctype' }, { type: 'raw', value: html }] }
  const elements = elementsIn((reader.runSync(root) as Root).children)
  const body = elementsIn(elements.find(({ tagName }) => tagName === 'body')?.children ?? [])
  const misplaced = body.filter(({ tagName }) => ONLY_IN_HEAD.has(tagName)).map(({ tagName }) => tagName)
  return [...misplaced, ...elements.flatMap(elementErrors), ...formErrors(body)]
}

/** `documentErrors` for an HTML fragment. */
export function fragmentErrors(html: string): readonly string[] {
  return documentErrors(`<!doctype html><title></title><body>${html}`)
}

function elementsIn(nodes: readonly (RootContent | ElementContent)[]): readonly Element[] {
  return nodes.flatMap((node) =>
    node.type === 'element'
      ? [node, ...elementsIn(node.children), ...elementsIn(node.content?.children ?? [])]
      : [],
  )
}

const NEVER = new Set([
  ...['iframe', 'object', 'embed', 'base', 'frame', 'frameset', 'applet', 'foreignObject', 'annotation-xml'],
  ...['animate', 'set', 'template', 'noscript', 'marquee', 'portal', 'maction', 'xmp', 'plaintext'],
])
const ONLY_IN_HEAD = new Set(['script', 'style', 'link', 'meta', 'title', 'base'])
/** Input types of a contact section. */
const ONLY_IN_FORM = new Set(['textarea', 'select', 'option', 'button'])
const URLS = ['href', 'src', 'xLinkHref', 'action', 'data', 'poster', 'background', 'cite', 'srcSet']
const NEVER_ATTRIBUTES = ['srcDoc', 'style', 'formAction', 'ping', 'is', 'xLinkHref', 'background']
const OUR_FOLDER =
  /(?:(?:\.\.\/)*|\.\/|\/render\/|https:\/\/acme\.example\/|(?:http:\/\/127\.0\.0\.1:\d+)?\/public\/\w+\/)/
    .source
const OUR_FILE = new RegExp(`^${OUR_FOLDER}_assets/[\\w.-]+$`)

/** What a browser installs or shows in place of a site: the files of the site itself. */
const OUR_LINK = new RegExp(
  `^(?:manifest ${OUR_FOLDER}site\\.webmanifest|apple-touch-icon ${OUR_FOLDER}apple-touch-icon\\.png)$`,
)

function elementErrors({ tagName, properties, children }: Element): readonly string[] {
  const names = Object.keys(properties)
  const target = String(properties['src'] ?? properties['href'] ?? '')
  const isOurs = OUR_FILE.test(target)
  return [
    NEVER.has(tagName) && tagName,
    tagName === 'script' &&
      !isData(properties, children) &&
      !isOwnScript(properties, children) &&
      (!isOurs || children.length > 0) &&
      `script ${target}`,
    tagName === 'link' && String(properties['rel']) === 'stylesheet' && !isOurs && `stylesheet ${target}`,
    tagName === 'link' &&
      !['stylesheet', 'icon', 'canonical', 'alternate', 'prev', 'next'].includes(String(properties['rel'])) &&
      !OUR_LINK.test(`${properties['rel']} ${target}`) &&
      `link ${String(properties['rel'])} ${target}`,
    ...names.filter((name) => /^on/i.test(name) || NEVER_ATTRIBUTES.includes(name)),
    properties['httpEquiv'] !== undefined && !isPolicy(properties) && 'httpEquiv',
    ...names.filter((name) => URLS.includes(name) && !isHarmless(String(properties[name]))),
  ]
    .filter((error) => error !== false)
    .map((error) => `${tagName}: ${error}`)
}

/** Allows one form, that of the contact section, and no form controls outside it. */
function formErrors(body: readonly Element[]): readonly string[] {
  const forms = body.filter(({ tagName }) => tagName === 'form')
  const controlsIn = (elements: readonly Element[]) => elements.filter(isFormControl)
  const inside = forms.flatMap(({ children }) => controlsIn(elementsIn(children)))
  return [
    ...forms
      .filter(({ properties }) => String(properties['className']) !== 'form')
      .map(() => 'a form that is not ours'),
    ...(forms.length > 1 ? ['several forms'] : []),
    ...controlsIn(body)
      .filter((element) => !inside.includes(element))
      .map(({ tagName }) => `${tagName} outside a form`),
  ]
}

function isFormControl({ tagName, properties }: Element): boolean {
  // A button of the theme's script submits nothing.
  return ONLY_IN_FORM.has(tagName) && !(tagName === 'button' && properties['type'] === 'button')
}

/** True for the document's own Content-Security-Policy, which allows only the inline scripts of the themes. */
function isPolicy({ httpEquiv, content }: Element['properties']): boolean {
  const isOurs = String(httpEquiv) === 'Content-Security-Policy'
  return isOurs && POLICIES.some((policy) => String(content).startsWith(policy))
}

const POLICIES = [PREFETCH_RULES, ...OWN_SCRIPTS].map(
  (own) => `default-src 'none'; script-src 'self' 'sha256-${digestOf(own ?? '')}'; style-src 'self'`,
)

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function isOwnScript(properties: Element['properties'], [text]: Element['children']): boolean {
  return Object.keys(properties).length === 0 && text?.type === 'text' && OWN_SCRIPTS.has(text.value)
}

/** True for structured data and for the rules of what to prefetch, which browsers do not execute. */
function isData(properties: Element['properties'], children: Element['children']): boolean {
  const [text] = children
  if (text?.type !== 'text') return false
  const kind = String(Object.entries(properties))
  if (kind === 'type,speculationrules') return text.value === PREFETCH_RULES
  if (kind !== 'type,application/ld+json') return false
  return JSON.parse(text.value)['@context'] === 'https://schema.org'
}

function isHarmless(target: string): boolean {
  if (!URL.canParse(target, 'https://site.test/a/')) return true
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(new URL(target, 'https://site.test/a/').protocol)
}

const XML_TOKEN =
  /<\?xml [^<>]*\?>|<(\/?)([\w:-]+)((?:\s+[\w:-]+="(?:[^"<&]|&(?:#\d+|\w+);)*")*)\s*(\/?)>|(?:[^<&]|&(?:#\d+|amp|lt|gt|quot|apos);)+/gy
/** The elements of a sitemap and of an Atom feed. */
const XML_NAMES = new Set([
  ...[
    'urlset',
    'sitemapindex',
    'sitemap',
    'url',
    'loc',
    'lastmod',
    'feed',
    'entry',
    'id',
    'title',
    'subtitle',
  ],
  ...[
    'updated',
    'published',
    'author',
    'name',
    'uri',
    'summary',
    'content',
    'link',
    'icon',
    'logo',
    'generator',
  ],
  ...['category', 'rights'],
])

/** Parses the document as XML, and lists everything that is not allowed. */
export function xmlErrors(xml: string): readonly string[] {
  const open: string[] = []
  XML_TOKEN.lastIndex = 0
  for (let at = 0; at < xml.length; at = XML_TOKEN.lastIndex) {
    const found = XML_TOKEN.exec(xml)
    if (found === null) return [`not well-formed: ${xml.slice(at, at + 80)}`]
    const [, ends, name, , isEmpty] = found
    if (name === undefined) continue
    if (!XML_NAMES.has(name)) return [`an element ${name}`]
    if (ends === '/' && open.pop() !== name) return [`</${name}> closes no element`]
    if (ends === '' && isEmpty === '') open.push(name)
  }
  return open.map((name) => `<${name}> is not closed`)
}

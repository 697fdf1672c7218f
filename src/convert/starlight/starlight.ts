import { type Diagnostic, diagnostic } from '../../domain/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { logoPath, objectOf, textOf } from '../config/config-values.ts'
import { configurationIn, configuredFolder, prefixOf } from '../config/configured-folder.ts'
import { defined } from '../config/source-config.ts'
import type { Generator, PageTarget, SourceFiles, SourceSite } from '../conversion.ts'
import { isAsset } from '../files/asset-names.ts'
import { withDirectives } from '../mdx/directives.ts'
import { rewriteMdx } from '../mdx/rewrite-mdx.ts'
import { connectedLocales } from '../page/connected-locales.ts'
import { routeOf } from '../page/page-route.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'
import { programDiagnostics } from '../program/program-diagnostics.ts'
import { languagesOf, localesOf, type StarlightConfig, starlightConfig } from './config.ts'
import { badgeOf, factsOf, type PageFacts, starlightNav } from './nav.ts'

const CONFIG = /^(?:(?!.*\/.*\/)(.*)\/)?astro\.config\.(?:c|m)?[jt]s$/
const PAGE = /\.(mdx?|mdoc)$/

/** Starlight: Markdown and MDX in `src/content/docs`. The configuration is a program, which is not run. */
export const starlight: Generator = {
  name: 'starlight',
  title: 'Starlight',
  detects: (files) => {
    const config = configurationIn(files, CONFIG)
    return (
      config !== '' &&
      (/\bstarlight\(/.test(files.text(config) ?? '') ||
        files.paths.some((path) => /(^|\/)src\/content\/docs\/.*\.(mdx?|mdoc)$/.test(path)))
    )
  },
  read,
  protectVerbatim: (body) => body,
  rewrite: (body, context) =>
    context.path.endsWith('.mdx') ? rewriteMdx(body, context) : withDirectives(body, context.report),
  tags: [],
}

function read(files: SourceFiles): SourceSite {
  const path = configurationIn(files, CONFIG)
  const root = CONFIG.exec(path)?.[1] ?? ''
  const settings = starlightConfig(files.text(path) ?? '')
  const { config, fields, base } = settings
  const diagnostics: Diagnostic[] = [...programDiagnostics(path, settings.skipped, 'The configuration is')]
  const { content, source, publicFiles } = foldersOf(files, { path, root }, settings, diagnostics)
  const locales = localesOf(config)
  const pages = new Map<string, PageTarget>()
  const assets = new Map<string, string>()
  const facts = new Map<string, PageFacts>()
  const badges = new Map<string, JsonObject>()
  const unread = new Map<string, string>()
  for (const file of files.paths) {
    const name = file.startsWith(content) ? file.slice(content.length) : null
    const own = file.startsWith(`${source}pages/`) ? file.slice(`${source}pages/`.length) : null
    if (name !== null && PAGE.test(name)) {
      const page = splitSourcePage(files.text(file) ?? '').fields
      const bare = name.replace(PAGE, '').replace(/(^|\/)index$/, '')
      const address = textOf(page['slug'])?.replace(/^\/+|\/+$/g, '') ?? bare
      const locale = locales.get(address.split('/')[0] ?? '')
      const route = routeOf(address)
      const isFront = address === '' || (locale !== undefined && !address.includes('/'))
      if (/(^|\/)_/.test(name)) {
        diagnostics.push(diagnostic('QN-HIDDEN-PAGE', file, PART))
        continue
      }
      pages.set(file, {
        route,
        type: isFront ? 'page' : 'docs',
        originalPath: address === '' ? '/' : `/${address}/`,
        ...(locale !== undefined && { lang: locale }),
      })
      const badge = badgeOf(page)
      if (badge !== undefined) badges.set(file, { badge })
      if (!isFront) facts.set(route, factsOf(page, address))
    } else if (own !== null && PAGE.test(own) && !/(^|\/)_/.test(own)) {
      const address = own.replace(PAGE, '').replace(/(^|\/)index$/, '')
      pages.set(file, { route: routeOf(address), type: 'page', originalPath: `/${address}` })
    } else if (file.startsWith(publicFiles)) assets.set(file, file.slice(publicFiles.length))
    else if (file.startsWith(`${source}assets/`) && isAsset(file)) assets.set(file, file.slice(source.length))
    else if (name !== null && isAsset(name)) assets.set(file, name)
    else if (own !== null) {
      if (own.endsWith('.astro')) unread.set(file, `/${own.replace(/(^|(?<=\/))index(?=\.)|\.astro$/g, '')}`)
      diagnostics.push(
        diagnostic('QN-NOT-CONVERTED', file, 'The page is a program, which is not run. It is left out.'),
      )
    }
  }
  const place = { root, source, files }
  const logo = objectOf(config['logo'])
  return {
    contentRoot: content,
    fields: defined({
      ...fields,
      logo: logoPath(sourceFile(logo['src'] ?? logo['light'], place)),
      logo_dark: logoPath(sourceFile(logo['dark'], place)),
      locales: connectedLocales(languagesOf(config), pages),
    }),
    ...(base !== undefined && { base }),
    config: path,
    languages: languagesOf(config).map(({ tag }) => tag),
    unread,
    pages,
    assets,
    order: new Map(),
    redirects: settings.redirects,
    fallbackFolders: [...locales.keys()],
    nav: ['', ...locales.keys()].flatMap((locale) => starlightNav(config['sidebar'], facts, locale, locales)),
    aliases: new Map([
      ['~/', source],
      ['@/', source],
      ['@assets/', `${source}assets/`],
    ]),
    overrides: (file) => badges.get(file) ?? {},
    diagnostics,
  }
}

const PART = 'Its name begins with an underscore, so it is a part of other pages. It is no page of its own.'

/** The folder of the docs in a definition of collections, when a loader of files names one. */
const COLLECTION =
  /\bdocs\s*:\s*defineCollection\((?:(?!defineCollection)[\s\S]){0,1000}?\bbase\s*:\s*["'`]([^"'`]+)/

/** The folders of pages, of programs and images, and of public files, with trailing slashes. */
function foldersOf(
  files: SourceFiles,
  { path, root }: { readonly path: string; readonly root: string },
  { srcDir, publicDir }: StarlightConfig,
  diagnostics: Diagnostic[],
) {
  const locate = (name: string, field: string) =>
    prefixOf(configuredFolder(files, name, { file: path, field, root }, diagnostics) ?? root)
  const source = srcDir === undefined ? `${prefixOf(root)}src/` : locate(srcDir, 'srcDir')
  const collections = ['content.config', 'content/config'].flatMap((name) =>
    ['ts', 'mts', 'js', 'mjs'].map((ending) => files.text(`${source}${name}.${ending}`) ?? ''),
  )
  const docs = COLLECTION.exec(collections.join('\n'))?.[1]
  return {
    source,
    content: docs === undefined ? `${source}content/docs/` : locate(docs, 'base'),
    publicFiles: publicDir === undefined ? `${prefixOf(root)}public/` : locate(publicDir, 'publicDir'),
  }
}

interface SourcePlace {
  readonly root: string
  readonly source: string
  readonly files: SourceFiles
}

/** The address of an image of the source folder that the configuration names. */
function sourceFile(given: JsonValue | undefined, { root, source, files }: SourcePlace): string | undefined {
  const file = textOf(given)?.replace(/^\.?\//, prefixOf(root))
  return file?.startsWith(source) && files.paths.includes(file) ? `/${file.slice(source.length)}` : undefined
}

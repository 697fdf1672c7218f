import { createHash } from 'node:crypto'

import type { ComponentSchema } from '../domain/component.ts'
import type { JsonObject } from '../domain/json.ts'
import { compileTemplates, type RenderTemplate } from './compile-templates.ts'
import { type LabelsByLanguage, labelsIn, searchLabels } from './labels.ts'
import { layoutWidths } from './layout-widths.ts'
import { sizedPictures } from './sized-pictures.ts'
import { stemmerLanguage } from './stemmers.ts'
import type { Theme, ThemeAsset, ThemeAssets, ThemeColour } from './theme.ts'
import { assetsOf, urlInStyle } from './theme-asset.ts'
import type { ThemeFiles } from './theme-files.ts'
import type { ThemeManifest } from './theme-manifest.ts'
import type { ValueTypes } from './value-types.ts'
import type { SiteView } from './view.ts'

/** Everything a theme consists of, as read from its files. */
export interface ThemeParts {
  readonly name: string
  readonly manifest: ThemeManifest
  readonly templates: ThemeFiles
  readonly labels: LabelsByLanguage
  readonly assets: ThemeAssets
  readonly files: Theme['files']
  /** By language. */
  readonly stemmers: ReadonlyMap<string, ThemeAsset>
  readonly notFoundScript: string
  /** Sections with which `quoin theme check` tries templates of the theme's own types, by type. */
  readonly samples: ReadonlyMap<string, JsonObject>
  readonly components: ReadonlyMap<string, ComponentSchema>
}

/**
 * The width of a page in a theme that states one for light and one for dark. Such a token makes no sense but is valid.
 */
const DEFAULT_WIDE = '74rem'

export type CompileTheme = (templates: ThemeFiles) => RenderTemplate

/** @throws {ThemeError} for a template that cannot be used. */
export function createTheme(parts: ThemeParts, compile: CompileTheme = compileTemplates): Theme {
  const { name, manifest, templates, labels, assets, files, stemmers, notFoundScript } = parts
  const render = compile(templates)
  const theme = { name, colorScheme: manifest.color_scheme }
  const { wide } = manifest.tokens
  const widths = layoutWidths(typeof wide === 'string' ? wide : DEFAULT_WIDE)
  const globals = (lang: string, filesHref: string) => ({
    theme,
    labels: labelsIn(lang, labels),
    widths,
    sized: sizedPictures,
    asset: (name: string) => filesHref + urlInStyle(files.get(name) ?? throwUnknownFile(name)),
  })
  const document = (layout: string, view: { readonly lang: string; readonly site: SiteView }) => {
    const shared = globals(view.lang, view.site.filesHref)
    const more = {
      ...shared,
      href: view.site.href,
      data: view.site.data,
      markdown: view.site.markdown,
      searchWords: searchLabels(shared.labels),
    }
    // Object spread would give each page a different hidden class in V8 and make property access slow.
    return render(`layouts/${layout}`, Object.assign({}, view, more))
  }
  const sectionTemplate = (type: string) =>
    templates.has(`sections/${type}.eta`) ? `sections/${type}` : 'sections/generic'

  return {
    name,
    digest: digestOf(parts),
    assets,
    colours: {
      scheme: manifest.color_scheme,
      brand: tokenPair(manifest.tokens['brand']),
      background: tokenPair(manifest.tokens['bg']),
    },
    files,
    formOrigins: manifest.form_origins,
    layouts: chosenLayouts(templates),
    types: manifest.types,
    samples: parts.samples,
    components: parts.components,
    ownSections: new Set(namesIn('sections', templates).filter((name) => name !== 'generic')),
    notFoundScript,
    stemmers,
    stemmer: (lang) => stemmers.get(stemmerLanguage(lang) ?? '') ?? null,
    labels: (lang) => labelsIn(lang, labels),
    readsField: readsFieldIn(templates, manifest.types.fields),
    section: (view) => render(sectionTemplate(view.type), { ...view, ...globals(view.lang, view.filesHref) }),
    component: (view) =>
      render(`components/${view.name}`, { ...view, ...globals(view.lang, view.filesHref) }).trim(),
    page: (view) => document(view.layout ?? view.page.type, view),
    notFound: (view) => document('not-found', view),
    navPage: (view) => document('nav-page', view),
    listing: (view) => document('listing', view),
    tags: (view) => document('tags', view),
  }
}

/** Layouts of documents that Quoin chooses itself, by the type of a page or of the document. */
const FIXED_LAYOUTS: ReadonlySet<string> = new Set([
  'page',
  'article',
  'docs',
  'item',
  'listing',
  'tags',
  'nav-page',
  'not-found',
])

function tokenPair(value: ThemeManifest['tokens'][string] = ''): ThemeColour {
  return typeof value === 'string' ? { light: value, dark: value } : { light: value[0], dark: value[1] }
}

function chosenLayouts(templates: ThemeFiles): readonly string[] {
  return namesIn('layouts', templates)
    .filter((name) => !FIXED_LAYOUTS.has(name))
    .sort()
}

function namesIn(folder: string, templates: ThemeFiles): readonly string[] {
  const start = `${folder}/`
  const files = [...templates.keys()].filter((file) => file.startsWith(start))
  return files.map((file) => file.slice(start.length, -'.eta'.length))
}

/**
 * A theme reads the fields that it declares, and each name next to `config` in a template. Names that a template
 * computes cannot be known.
 */
function readsFieldIn(templates: ThemeFiles, declared: ValueTypes): Theme['readsField'] {
  let names: ReadonlySet<string> | null = null
  return (field) => {
    names ??= new Set([
      ...Object.keys(declared),
      ...[...templates.values()].flatMap(({ text }) => namesBesideConfig(text)),
    ])
    return names.has(field)
  }
}

function namesBesideConfig(template: string): readonly string[] {
  return /\bconfig\b/.test(template) ? (template.match(/[\p{L}\p{N}_$-]+/gu) ?? []) : []
}

/** Thrown inside the requesting template, which gives the error its position. */
function throwUnknownFile(name: string): never {
  throw new Error(`There is no file assets/${name}.`)
}

/** Independent of where the files are on this machine. */
function digestOf(parts: ThemeParts): string {
  const { name, manifest, templates, labels, notFoundScript } = parts
  const texts = [...templates].map(([file, { text }]) => [file, text]).sort()
  const keys = assetsOf(parts).map(({ key }) => key)
  const { color_scheme: scheme, types, form_origins: formOrigins } = manifest
  const whole = JSON.stringify([
    name,
    scheme,
    types,
    formOrigins,
    texts,
    labels,
    keys,
    notFoundScript,
    [...parts.components],
  ])
  return createHash('sha256').update(whole).digest('hex')
}

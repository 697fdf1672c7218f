import { resolve } from 'node:path'
import { diagnostic } from '../domain/diagnostic.ts'
import type { DiagnosticCode } from '../domain/diagnostic-codes.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { matchType } from '../sections/catalogue.ts'
import { compileLimited, templateErrors } from '../theme/compile-templates.ts'
import { createTheme, type ThemeParts } from '../theme/create-theme.ts'
import type { Theme } from '../theme/theme.ts'
import { type ThemeError, themeErrorCode } from '../theme/theme-error.ts'
import type { ThemeFiles } from '../theme/theme-files.ts'
import { checkContrast } from './check-contrast.ts'
import { checkDocument } from './check-document.ts'
import { checkFiles } from './check-files.ts'
import { checkSamples } from './check-samples.ts'
import { checkStyle } from './check-style.ts'
import { checkTemplates } from './check-templates.ts'
import { checkTokens } from './check-tokens.ts'
import { readDocument } from './document.ts'
import { instrumentTemplates, type TemplatePosition } from './instrument-templates.ts'
import { type OwnFiles, styleText } from './own-files.ts'
import { recordViews } from './record-views.ts'
import { rootProperties } from './root-properties.ts'
import { type RenderedSpecimen, type Specimen, type SpecimenFolders, specimens } from './specimens.ts'
import { sortDiagnostics, type ThemeDiagnostic } from './theme-diagnostic.ts'

export interface CheckPorts extends SpecimenFolders {
  readonly createRenderer: (themes: ReadonlyMap<string, Theme>) => Renderer
}

export interface ThemeCheck {
  readonly diagnostics: readonly ThemeDiagnostic[]
  /** Number of rendered pages; 0 if a template does not compile. */
  readonly rendered: number
}

/** Runs every check of a theme that needs no browser. */
export async function checkTheme(parts: ThemeParts, own: OwnFiles, ports: CheckPorts): Promise<ThemeCheck> {
  const properties = rootProperties(styleText(parts))
  const broken = templateErrors(parts.templates).map(themeErrorDiagnostic)
  const { diagnostics, rendered } =
    broken.length > 0 ? { diagnostics: broken, rendered: 0 } : await checkRendering(parts, ports)
  const unrendered = [
    ...checkFiles(parts, own),
    ...checkTemplates(parts, own),
    ...checkTokens(parts, properties, own),
    ...checkContrast(properties, parts.manifest.color_scheme, own),
    ...checkStyle(parts, own),
    ...checkSamples(parts, own),
  ]
  const all = [...diagnostics, ...unrendered.map((found) => ({ ...found, on: null }))]
  return { diagnostics: sortDiagnostics(all), rendered }
}

/** Returns the diagnostic of a theme or template that does not load or compile. */
export function themeErrorDiagnostic({ file, line, column, reason }: ThemeError): ThemeDiagnostic {
  return { ...diagnostic(themeErrorCode(file), file, reason, { line, column }), on: null }
}

/** Renders specimen pages and checks their documents. */
async function checkRendering(parts: ThemeParts, ports: CheckPorts): Promise<ThemeCheck> {
  const diagnostics: ThemeDiagnostic[] = []
  let on = ''
  const { templates, places } = instrumentTemplates(parts.templates)
  const report = (code: DiagnosticCode, { file, line }: TemplatePosition, message: string) =>
    diagnostics.push({ ...diagnostic(code, file, message, { line }), on })
  const { watch, marking } = recordViews(places, passedNames(parts.templates), new Set(ownTypes(parts)), {
    unknown: (name, at) => report('QN-UNKNOWN-NAME', at, `${name} is not defined in this template.`),
    unescaped: (name, at) =>
      report('QN-UNESCAPED', at, `${name} is text. Print it with <%= %>, not with <%~ %>.`),
  })
  const theme = marking(createTheme({ ...parts, templates }, (files) => compileLimited(files, watch)))
  const renderer = ports.createRenderer(new Map([[parts.name, theme]]))
  const { layouts, components } = theme
  const samples = new Map(ownTypes(parts).map((type) => [type, parts.samples.get(type) ?? null]))
  const pages = await specimens({ theme: parts.name, samples, layouts, components }, renderer, ports)
  for (const page of pages) {
    on = page.title
    diagnostics.push(...checkSpecimen(page, await page.render(), parts, places))
  }
  return { diagnostics, rendered: pages.length }
}

/** Names that templates pass to partials and layouts in object literals. */
function passedNames(templates: ThemeFiles): ReadonlySet<string> {
  const texts = [...templates.values()].map(({ text }) => text)
  const objects = texts.flatMap((text) => [...text.matchAll(PASSED)].map(([, names = '']) => names))
  return new Set(objects.flatMap((names) => names.split(',')).map((part) => part.split(':')[0]?.trim() ?? ''))
}

const PASSED = /\b(?:include|layout)\([^{()]*\{([^{}]*)\}/g

/** Section types that only this theme has. */
function ownTypes({ templates }: ThemeParts): readonly string[] {
  const names = [...templates.keys()].flatMap((name) => /^sections\/(.+)\.eta$/.exec(name)?.[1] ?? [])
  return names.filter((name) => name !== 'generic' && !matchType(name).known)
}

function checkSpecimen(
  { title, layout }: Specimen,
  { html, error }: RenderedSpecimen,
  { templates }: ThemeParts,
  places: readonly TemplatePosition[],
): readonly ThemeDiagnostic[] {
  const failed: readonly ThemeDiagnostic[] =
    error === null
      ? []
      : [
          {
            ...diagnostic('QN-RENDER-FAILED', resolve(error.file), error.message, { line: error.line }),
            on: title,
          },
        ]
  if (html === null) return failed
  const whole = { file: templates.get(layout)?.path ?? layout, line: 1 }
  const found = checkDocument(readDocument(html, places), whole)
  return [...failed, ...found.map((one) => ({ ...one, on: title }))]
}

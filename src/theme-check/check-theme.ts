import { resolve } from 'node:path'
import type { Renderer } from '../renderer/renderer.ts'
import { matchType } from '../sections/catalogue.ts'
import { compileLimited, templateFaults } from '../theme/compile-templates.ts'
import { createTheme, type ThemeParts } from '../theme/create-theme.ts'
import type { Theme } from '../theme/theme.ts'
import type { ThemeError } from '../theme/theme-error.ts'
import type { ThemeFiles } from '../theme/theme-files.ts'
import { contrastFindings } from './contrast.ts'
import { readDocument } from './document.ts'
import { documentFaults } from './document-faults.ts'
import { fileFindings } from './file-findings.ts'
import { type Finding, sorted } from './finding.ts'
import { instrumented, type WrittenAt } from './instrumented.ts'
import { type OwnFiles, styleText } from './own-files.ts'
import { watchViews } from './recording-views.ts'
import { rootProperties } from './root-properties.ts'
import { type RenderedSpecimen, type Specimen, type SpecimenFolders, specimens } from './specimens.ts'
import { styleFindings } from './style-findings.ts'
import { tokenFindings } from './token-findings.ts'

export interface CheckPorts extends SpecimenFolders {
  readonly createRenderer: (themes: ReadonlyMap<string, Theme>) => Renderer
}

export interface ThemeCheck {
  readonly findings: readonly Finding[]
  /** How many pages were rendered; 0 where a template does not compile. */
  readonly rendered: number
}

/** Everything that can be told of a theme without a browser. */
export async function checkTheme(parts: ThemeParts, own: OwnFiles, ports: CheckPorts): Promise<ThemeCheck> {
  const properties = rootProperties(styleText(parts))
  const broken = templateFaults(parts.templates).map(templateFinding)
  const { findings, rendered } =
    broken.length > 0 ? { findings: broken, rendered: 0 } : await renderFindings(parts, ports)
  const all = [
    ...findings,
    ...fileFindings(parts, own),
    ...tokenFindings(parts, properties, own),
    ...contrastFindings(properties, parts.manifest.color_scheme, own),
    ...styleFindings(parts, own),
  ]
  return { findings: sorted(all), rendered }
}

/** @param error that a theme which cannot be loaded, or a template that does not compile, is refused with. */
export function templateFinding({ file, line, reason }: ThemeError): Finding {
  const rule = file.endsWith('.eta') ? 'template' : 'manifest'
  return { severity: 'error', rule, file, line, message: reason, on: null }
}

/** What shows when pages are rendered. */
async function renderFindings(parts: ThemeParts, ports: CheckPorts): Promise<ThemeCheck> {
  const findings: Finding[] = []
  let on = ''
  const { templates, places } = instrumented(parts.templates)
  const told = (rule: Finding['rule'], at: WrittenAt, message: string) =>
    findings.push({ severity: 'error', rule, ...at, message, on })
  const { watch, marking } = watchViews(places, handedNames(parts.templates), {
    unknown: (name, at) => told('unknown-name', at, `${name} is not given here.`),
    unescaped: (name, at) => told('unescaped', at, `${name} is text: write it with <%= %>, not with <%~ %>.`),
  })
  const theme = marking(createTheme({ ...parts, templates }, (files) => compileLimited(files, watch)))
  const renderer = ports.createRenderer(new Map([[parts.name, theme]]))
  const pages = await specimens({ theme: parts.name, ownTypes: ownTypes(parts) }, renderer, ports)
  for (const page of pages) {
    on = page.title
    findings.push(...specimenFindings(page, await page.render(), parts, places))
  }
  return { findings, rendered: pages.length }
}

/** What templates hand to those they include, or are laid into, as far as it is written out. */
function handedNames(templates: ThemeFiles): ReadonlySet<string> {
  const texts = [...templates.values()].map(({ text }) => text)
  const objects = texts.flatMap((text) => [...text.matchAll(HANDED)].map(([, names = '']) => names))
  return new Set(objects.flatMap((names) => names.split(',')).map((part) => part.split(':')[0]?.trim() ?? ''))
}

const HANDED = /\b(?:include|layout)\([^{()]*\{([^{}]*)\}/g

/** Types of sections that only this theme knows. */
function ownTypes({ templates }: ThemeParts): readonly string[] {
  const names = [...templates.keys()].flatMap((name) => /^sections\/(.+)\.eta$/.exec(name)?.[1] ?? [])
  return names.filter((name) => name !== 'generic' && !matchType(name).known)
}

function specimenFindings(
  { title, layout }: Specimen,
  { html, fault }: RenderedSpecimen,
  { templates }: ThemeParts,
  places: readonly WrittenAt[],
): readonly Finding[] {
  const failed: readonly Finding[] =
    fault === null
      ? []
      : [
          {
            ...{ severity: 'error', rule: 'rendering', file: resolve(fault.file), line: fault.line },
            ...{ message: fault.message, on: title },
          },
        ]
  if (html === null) return failed
  const whole = { file: templates.get(layout)?.path ?? layout, line: 1 }
  const faults = documentFaults(readDocument(html, places), whole)
  return [...failed, ...faults.map(({ at, ...fault }) => ({ ...fault, ...at, on: title }))]
}

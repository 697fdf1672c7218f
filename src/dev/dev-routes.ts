import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SITE_FILE } from '../content-folder/file-kind.ts'
import { objectHeaders } from '../domain/artifact.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import type { LivePage } from '../domain/live-page.ts'
import {
  componentOf,
  componentPage,
  componentSamples,
  GENERIC_SAMPLE,
  listSamples,
  ownSectionSamples,
  samplePage,
} from '../preview-site/gallery.ts'
import type { PreviewDiagnostic } from '../preview-site/preview-diagnostic.ts'
import { diagnosticOf } from '../preview-site/render-file.ts'
import type { RenderableSite } from '../preview-site/renderable-site.ts'
import { heldPages } from '../site-build/held-pages.ts'
import { TOOLS } from './dev-document.ts'
import type { DevSession } from './dev-session.ts'
import type { SiteResponder, SiteResponse } from './site-responses.ts'

export interface DevRoutePorts {
  readonly session: DevSession
  readonly site: SiteResponder
  /** Folder of the scripts and styles of the dev tools. */
  readonly toolFiles: string
  /** Folder of the section samples. */
  readonly samples: string
  /** ISO 8601 UTC. */
  readonly now: string
}

/** The current state of the document at a path, for the script in the browser. Plain JSON. */
export interface DocumentState {
  readonly version: string
  readonly styles: readonly string[]
  readonly errors: readonly PreviewDiagnostic[]
  /** Errors of other files, which this page does not depend on. */
  readonly faults: readonly PreviewDiagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly isDraft: boolean
  /** The date until which a build leaves out the article; null for none. */
  readonly heldUntil: string | null
}

export type DevRoutes = ReturnType<typeof createDevRoutes>

/** Files that are served from the folder of the dev tools. */
const TOOL_FILES = new Set(['client.js', 'events.js', 'overlay.css', 'tools.css', 'tools.js'])

/** The site in another theme. Links between its pages are relative, so they stay in that theme. */
const THEMED = /^themes\/([a-z0-9-]+)\/(.*)$/s

/** The sections of a sample on their own page, in a theme. */
const SAMPLE = /^gallery\/([a-z0-9-]+)\/([\w-]+)\/$/

/** Routes of the dev server: the site, and the dev tools below `/__quoin/`. */
export function createDevRoutes({ session, site, toolFiles, samples, now }: DevRoutePorts) {
  return { respond }

  /**
   * @param path decoded.
   * @returns null for an unknown path of the dev tools. Unknown paths of the site get its 404 page.
   */
  async function respond(path: string, query: URLSearchParams): Promise<SiteResponse | null> {
    if (!path.startsWith(TOOLS)) return site.respond(path.slice(1), null)
    const name = path.slice(TOOLS.length)
    if (TOOL_FILES.has(name)) return toolFile(name)
    if (name === '') return toolFile('tools.html')
    if (name === 'state') return stateOf(query.get('path') ?? '/')
    const { renderable } = session.state()
    if (renderable === null) return null
    if (name === 'catalogue.json') return json(await catalogueOf(renderable))
    const [, theme = '', rest = ''] = THEMED.exec(name) ?? []
    if (renderable.themes.has(theme)) return site.respond(rest, theme)
    const [, sampleTheme = '', sample = ''] = SAMPLE.exec(name) ?? []
    return renderable.themes.has(sampleTheme) ? sampleResponse(sample, sampleTheme, renderable) : null
  }

  /** The pages, themes and samples that the page of the dev tools offers. */
  async function catalogueOf({ site: { site, settings, pages }, themes }: RenderableSite) {
    return {
      name: site.name,
      theme: settings.theme,
      themes: [...themes.keys()].sort(),
      pages: pages.map(({ facts: { path, title }, written }) => ({ path, title, isDraft: written.draft })),
      sections: [...(await listSamples(samples)), ...ownSectionSamples(themes), ...componentSamples(themes)],
    }
  }

  async function sampleResponse(
    name: string,
    theme: string,
    renderable: RenderableSite,
  ): Promise<SiteResponse | null> {
    const live = await samplePageNamed(name, theme, renderable)
    if (live === null) return null
    const bases = { pages: `${TOOLS}themes/${theme}/`, files: '/' }
    try {
      const { html, assets } = await renderable.renderer.preview(live, bases)
      return site.standalone(html, assets)
    } catch (error) {
      const page = { path: `${TOOLS}gallery/${theme}/${name}/`, source: name }
      return site.failed(await diagnosticOf(error, page))
    }
  }

  async function samplePageNamed(
    name: string,
    theme: string,
    { site, themes }: RenderableSite,
  ): Promise<LivePage | null> {
    const component = componentOf(name)
    const shown = component === null ? undefined : themes.get(theme)
    if (component !== null && shown?.components.has(component)) return componentPage(component, shown, site)
    const known = (await listSamples(samples)).flatMap((section) => section.samples)
    if (known.includes(name)) return samplePage(samples, name, theme, site)
    if (!ownSectionSamples(themes).some(({ type }) => type === name)) return null
    const owner = themes.get(theme)?.samples.has(name) ? theme : ownerOf(name, themes)
    const sample = themes.get(owner)?.samples.get(name) ?? null
    return samplePage(samples, GENERIC_SAMPLE, theme, site, { type: name, sample })
  }

  async function toolFile(name: string): Promise<SiteResponse> {
    const { contentType } = objectHeaders(name)
    const body = await readFile(join(toolFiles, name))
    return { kind: 'file', contentType, body, isImmutable: false }
  }

  /** @param path of a document, as a browser shows it. */
  async function stateOf(path: string): Promise<SiteResponse | null> {
    const documentPath = path.startsWith('/') && !path.startsWith(`${TOOLS}state`) ? path : '/'
    const response = await respond(documentPath, new URLSearchParams())
    // The browser shows a 404 page at a path where a page with a trailing slash exists by now.
    if (response?.kind === 'folder') return stateOf(`${documentPath}/`)
    if (response?.kind !== 'document') return null
    const { document, page, errors } = response
    const { version, styles } = document
    const { errors: shared, faults } = session.state()
    const state: DocumentState = {
      version,
      styles,
      errors: [...shared, ...errors],
      faults: [...faults.filter((fault) => !errors.includes(fault)), ...session.pageErrorsExcept(errors)],
      warnings: session.warningsOf(page?.written.source ?? SITE_FILE),
      isDraft: page?.written.draft ?? false,
      heldUntil: page === null ? null : (heldPages([page.written], now)[0]?.until ?? null),
    }
    return json(state)
  }
}

/** The first theme that has a sample of a section; empty for none. */
function ownerOf(type: string, themes: RenderableSite['themes']): string {
  return [...themes].find(([, { samples }]) => samples.has(type))?.[0] ?? ''
}

function json(value: object): SiteResponse {
  const { contentType } = objectHeaders('.json')
  return {
    kind: 'file',
    contentType,
    body: Buffer.from(JSON.stringify(value)),
    isImmutable: false,
  }
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { objectHeaders } from '../domain/artifact.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { fixturePage, listFixtures } from '../preview-site/gallery.ts'
import type { PreviewDiagnostic } from '../preview-site/preview-diagnostic.ts'
import { diagnosticOf } from '../preview-site/render-file.ts'
import type { Shown } from '../preview-site/shown-site.ts'
import type { DevSession } from './dev-session.ts'
import { TOOLS } from './document.ts'
import type { SiteAnswer, SiteAnswers } from './site-answer.ts'

export interface RoutePorts {
  readonly session: DevSession
  readonly site: SiteAnswers
  /** Folder with the scripts and styles that are served besides the site. */
  readonly files: string
  /** Folder with sections as they may be written. */
  readonly fixtures: string
}

/** How the document at a path stands now, for the script in the one that a browser shows. Plain JSON. */
export interface DocumentState {
  readonly version: string
  readonly styles: readonly string[]
  readonly errors: readonly PreviewDiagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly isDraft: boolean
}

export type Routes = ReturnType<typeof createRoutes>

/** Files by the names they are asked for. */
const FILES = new Set(['client.js', 'events.js', 'overlay.css', 'tools.css', 'tools.js'])

/** The site in another theme: its pages link to each other relatively, so that all of it is there. */
const THEMED = /^themes\/([a-z0-9-]+)\/(.*)$/s

/** Sections of a fixture on a page of their own, in a theme. */
const FIXTURE = /^gallery\/([a-z0-9-]+)\/([a-z0-9-]+)\/$/

/** What lies at each path: the site, and beneath `/__quoin/` what helps to work on it. */
export function createRoutes({ session, site, files, fixtures }: RoutePorts) {
  return { answer }

  /**
   * @param path decoded.
   * @returns null where nothing lies, not even the site's own 404.
   */
  async function answer(path: string, query: URLSearchParams): Promise<SiteAnswer | null> {
    if (!path.startsWith(TOOLS)) return site.answer(path.slice(1), null)
    const name = path.slice(TOOLS.length)
    if (FILES.has(name)) return toolFile(name)
    if (name === '') return toolFile('tools.html')
    if (name === 'state') return stateOf(query.get('path') ?? '/')
    const { shown } = session.standing()
    if (shown === null) return null
    if (name === 'catalogue.json') return json(await catalogueOf(shown))
    const [, theme = '', rest = ''] = THEMED.exec(name) ?? []
    if (shown.themes.has(theme)) return site.answer(rest, theme)
    const [, styled = '', fixture = ''] = FIXTURE.exec(name) ?? []
    return shown.themes.has(styled) ? fixtureAnswer(fixture, styled, shown) : null
  }

  /** What the page of the tools lets choose from. */
  async function catalogueOf({ site: { site, settings, pages }, themes }: Shown) {
    return {
      name: site.name,
      theme: settings.theme,
      themes: [...themes.keys()].sort(),
      pages: pages.map(({ facts: { path, title }, written }) => ({ path, title, isDraft: written.draft })),
      sections: await listFixtures(fixtures),
    }
  }

  async function fixtureAnswer(name: string, theme: string, shown: Shown): Promise<SiteAnswer | null> {
    const known = (await listFixtures(fixtures)).flatMap((section) => section.fixtures)
    if (!known.includes(name)) return null
    const live = await fixturePage(fixtures, name, theme, shown.site)
    const places = { pages: `${TOOLS}themes/${theme}/`, files: '/' }
    try {
      const { html, assets } = await shown.renderer.preview(live, places)
      return site.besides(html, assets)
    } catch (error) {
      return site.failed(
        await diagnosticOf(error, { path: `${TOOLS}gallery/${theme}/${name}/`, source: name }),
      )
    }
  }

  async function toolFile(name: string): Promise<SiteAnswer> {
    const { contentType } = objectHeaders(name)
    return { kind: 'file', contentType, body: await readFile(join(files, name)), isForGood: false, tag: null }
  }

  /** @param path of a document, as a browser shows it. */
  async function stateOf(path: string): Promise<SiteAnswer | null> {
    const shown = path.startsWith('/') && !path.startsWith(`${TOOLS}state`) ? path : '/'
    const made = await answer(shown, new URLSearchParams())
    // Where nothing was, a page has come to lie.
    if (made?.kind === 'folder') return stateOf(`${shown}/`)
    if (made?.kind !== 'document') return null
    const { document, page, faults } = made
    const { version, styles } = document
    const state: DocumentState = {
      version,
      styles,
      errors: [...session.standing().errors, ...faults],
      warnings: page === null ? [] : session.complaints(page.written.source),
      isDraft: page?.written.draft ?? false,
    }
    return json(state)
  }
}

function json(value: object): SiteAnswer {
  const { contentType } = objectHeaders('.json')
  return { kind: 'file', contentType, body: Buffer.from(JSON.stringify(value)), isForGood: false, tag: null }
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Complaint } from '../build/complaints.ts'
import { objectHeaders } from '../domain/artifact.ts'
import type { DevFault } from './dev-fault.ts'
import type { DevSession } from './dev-session.ts'
import { TOOLS } from './document.ts'
import type { SiteAnswer, SiteAnswers } from './site-answer.ts'

export interface RoutePorts {
  readonly session: DevSession
  readonly site: SiteAnswers
  /** Folder with the scripts and styles that are served besides the site. */
  readonly files: string
}

/** How the document at a path stands now, for the script in the one that a browser shows. Plain JSON. */
export interface DocumentState {
  readonly version: string
  readonly styles: readonly string[]
  readonly faults: readonly DevFault[]
  readonly warnings: readonly Complaint[]
  readonly isDraft: boolean
}

export type Routes = ReturnType<typeof createRoutes>

/** Files by the names they are asked for. */
const FILES = new Set(['client.js', 'events.js', 'overlay.css'])

/** The site in another theme: its pages link to each other relatively, so that all of it is there. */
const THEMED = /^themes\/([a-z0-9-]+)\/(.*)$/s

/** What lies at each path: the site, and beneath `/__quoin/` what helps to work on it. */
export function createRoutes({ session, site, files }: RoutePorts) {
  return { answer }

  /**
   * @param path decoded.
   * @returns null where nothing lies, not even the site's own 404.
   */
  async function answer(path: string, query: URLSearchParams): Promise<SiteAnswer | null> {
    if (!path.startsWith(TOOLS)) return site.answer(path.slice(1), null)
    const name = path.slice(TOOLS.length)
    if (FILES.has(name)) return toolFile(name)
    if (name === 'state') return stateOf(query.get('path') ?? '/')
    const [, theme = '', rest = ''] = THEMED.exec(name) ?? []
    return session.standing().shown?.themes.has(theme) === true ? site.answer(rest, theme) : null
  }

  async function toolFile(name: string): Promise<SiteAnswer> {
    const { contentType } = objectHeaders(name)
    return { kind: 'file', contentType, body: await readFile(join(files, name)), isForGood: false, tag: null }
  }

  /** @param path of a document, as a browser shows it. */
  async function stateOf(path: string): Promise<SiteAnswer | null> {
    const shown = path.startsWith('/') && !path.startsWith(`${TOOLS}state`) ? path : '/'
    const made = await answer(shown, new URLSearchParams())
    if (made?.kind !== 'document') return null
    const { document, page, faults } = made
    const { version, styles } = document
    const state: DocumentState = {
      ...{ version, styles },
      faults: [...session.standing().faults, ...faults],
      warnings: page === null ? [] : session.complaints(page.written.source),
      isDraft: page?.written.draft ?? false,
    }
    const { contentType } = objectHeaders('.json')
    return {
      kind: 'file',
      contentType,
      body: Buffer.from(JSON.stringify(state)),
      isForGood: false,
      tag: null,
    }
  }
}

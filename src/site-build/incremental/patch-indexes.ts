import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Artifact } from '../../domain/artifact.ts'
import type { SiteLines } from '../../domain/site-lines.ts'
import { inIndexOrder } from '../../publish/pipeline/live-page-row.ts'
import { sha256 } from '../../publish/pipeline/plan.ts'
import { FIRST_SITEMAP } from '../../render/site-files/sitemap.ts'
import type { Renderer, SiteInput } from '../../renderer/renderer.ts'
import { addressOf } from '../site-releases.ts'
import type { BuildState } from '../state/build-state.ts'
import type { BuiltPage } from '../state/built-page.ts'
import { indexLine } from '../state/state-ledger.ts'

/*
 * Each page has its own line in the indexes. When pages were only edited, the index lines of all other pages are
 * unchanged: reading and joining them again would take longer than the rest of the build.
 */

/** The navigation of the docs after the edit. */
export interface EditedDocs {
  /** True if the navigation, and with it the order of the pages in `llms.txt`, may have changed. */
  readonly isMoved: boolean
  readonly order: () => readonly string[]
}

interface PatchPorts {
  readonly renderer: Renderer
  /** The folder that the site was built into. */
  readonly out: string
}

/**
 * Returns a renderer that takes only the lines of edited pages, and replaces them in the existing indexes.
 *
 * @param pages the possibly edited pages, before the edit.
 */
export function patchingRenderer(
  pages: readonly BuiltPage[],
  state: Pick<BuildState, 'pages' | 'files'>,
  docs: EditedDocs,
  { renderer, out }: PatchPorts,
): Renderer {
  const former = new Map(pages.map((page) => [addressOf(page.facts), page]))
  return { ...renderer, renderSite }

  async function renderSite(site: SiteInput): Promise<readonly Artifact[]> {
    const isInParts = state.files.has(FIRST_SITEMAP)
    const rendered = isInParts ? [] : await renderer.renderSite(site)
    const ofEdited = isInParts
      ? [null]
      : rendered.filter(({ key }) => state.files.get(key)?.owner?.kind !== 'page')
    const artifacts = ofEdited.map((artifact) => artifact && inItsPlace(artifact, site.lines))
    return artifacts.every((artifact) => artifact !== null)
      ? artifacts
      : renderer.renderSite({ ...site, lines: allLines(site.lines), docsOrder: docs.order() })
  }

  /** Patches one index. Returns null if it has to be rendered from all lines. */
  function inItsPlace(artifact: Artifact, lines: SiteInput['lines']): Artifact | null {
    const name = LINE_IN[artifact.key]
    const lying = state.files.get(artifact.key)
    if (name === undefined) return artifact
    if (lying === undefined || (name === 'llms' && docs.isMoved)) return null
    // Lines of the sitemap name the translations of other pages.
    if (name === 'sitemap' && lines.some(({ translated }) => translated !== undefined)) return null
    const changes: Change[] = []
    for (const line of lines) {
      const [was, now] = [former.get(addressOf(line))?.details()[name] ?? null, line[name]]
      if (was === now) continue
      if (was === null || now === null) return null
      changes.push({ was, now })
    }
    const file = join(out, artifact.key)
    if (changes.length === 0 && artifact.stage !== 'manifest')
      return { ...artifact, spilled: { folder: out, digest: lying.digest, size: statSync(file).size } }
    const bytes = readFileSync(file)
    const body = sha256(bytes) === lying.digest ? withLines(bytes, headOf(artifact), changes) : null
    return body && { ...artifact, body }
  }

  function allLines(edited: SiteInput['lines']): SiteInput['lines'] {
    const known = new Set(edited.map(addressOf))
    const others = [...state.pages.values()].filter(({ facts }) => !known.has(addressOf(facts)))
    return inIndexOrder([...others.map(indexLine), ...edited])
  }
}

/** The line of a page that each index contains. */
const LINE_IN: Readonly<Record<string, keyof SiteLines>> = {
  '_index.json': 'line',
  'sitemap.xml': 'sitemap',
  'llms.txt': 'llms',
}

/** A line of an index, and its replacement. */
interface Change {
  readonly was: string
  readonly now: string
}

/** The part of the manifest before its pages, which changes with each build. Other indexes have no such part. */
function headOf({ stage, body }: Artifact): Buffer | null {
  if (stage !== 'manifest') return null
  const bytes = Buffer.from(body)
  return bytes.subarray(0, bytes.indexOf(PAGES))
}

/** Nowhere else in it: within a string its quotes would be written otherwise. */
const PAGES = '"pages":['

/**
 * @param changes in the order of their lines.
 * @returns null if one of them is missing.
 */
function withLines(lying: Buffer, head: Buffer | null, changes: readonly Change[]): Buffer | null {
  const parts: Buffer[] = head === null ? [] : [head]
  let end = head === null ? 0 : lying.indexOf(PAGES)
  for (const { was, now } of changes) {
    const line = Buffer.from(`\n${was}`)
    const start = lying.indexOf(line, end)
    if (start < 0 || !isLineEnd(lying, start + line.byteLength)) return null
    parts.push(lying.subarray(end, start), Buffer.from(`\n${now}`))
    end = start + line.byteLength
  }
  return Buffer.concat([...parts, lying.subarray(end)])
}

/** Lines of the manifest have a comma between them. */
function isLineEnd(text: Buffer, place: number): boolean {
  const after = text.toString('latin1', place, place + 2)
  return after.startsWith('\n') || after === ',\n'
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REDIRECTS_FILE } from '../content-folder/redirects.ts'
import type { FolderRedirect } from '../content-folder/site.ts'
import { type Artifact, type Owner, spillFile } from '../domain/artifact.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import {
  isCopy,
  objectKind,
  type PlacedRedirect,
  placeRedirects,
  writtenTarget,
} from '../domain/site-redirect.ts'
import type { FileBody } from '../platform/file-body.ts'
import type { Upload } from '../publish/ledger/upload.ts'
import { plan, sha256 } from '../publish/pipeline/plan.ts'
import { siteRedirectArtifact } from '../render/site-files/redirect.ts'
import { idOf } from './stable-ids.ts'
import type { BuildState } from './state/build-state.ts'
import type { BuiltFile } from './state/built-page.ts'
import type { StaticCopy } from './static-files.ts'

interface RedirectPorts {
  /** The output folder. Unchanged files are read from it. */
  readonly out: string
  /** The files of the site that no page renders, by key. */
  readonly bodies: ReadonlyMap<string, FileBody>
  readonly now: string
}

interface WithRedirects {
  readonly after: BuildState
  readonly uploads: readonly Upload[]
  readonly copies: readonly StaticCopy[]
}

/**
 * Adds the redirects of the site that belong to no page: documents, and copies of feeds and files.
 *
 * @param ofPages uploads of this build, which are not in the folder yet.
 */
export function withRedirects(
  redirects: readonly FolderRedirect[],
  before: BuildState,
  published: BuildState,
  ofPages: readonly Upload[],
  { out, bodies, now }: RedirectPorts,
): WithRedirects {
  const { site, files } = published
  const former = [...files.others].filter(([, { owner }]) => owner?.kind === 'site-redirect')
  const wanted = placedIn(redirects, published).flatMap(({ redirect, end, key }) =>
    key === null || end === null ? [] : [{ from: redirect.from, end, key }],
  )
  if (site === null || former.length + wanted.length === 0)
    return { after: published, uploads: [], copies: [] }
  const changed = new Map(ofPages.map(({ artifact }) => [artifact.key, artifact]))
  const artifacts: Artifact[] = []
  const copies: StaticCopy[] = []
  const next = new Map<string, BuiltFile>()
  for (const { from, end, key } of wanted) {
    const source = isCopy(from, end) ? end.key : ''
    const owner: Owner = { kind: 'site-redirect', id: source }
    const digest = files.get(source)?.digest
    const body = bodies.get(source)
    if (digest !== undefined && digest === before.files.get(key)?.digest) next.set(key, { owner, digest })
    else if (body !== undefined) {
      next.set(key, { owner, digest: body.digest })
      copies.push({ key, body })
    } else {
      const artifact =
        source === ''
          ? siteRedirectArtifact(key, end, site.site)
          : { key, stage: 'index' as const, body: bytesAt(source, changed, out), owner }
      artifacts.push(artifact)
      next.set(key, { owner, digest: sha256(artifact.body) })
    }
  }
  const due = artifacts.filter(({ key }) => before.files.get(key)?.digest !== next.get(key)?.digest)
  const gone = former.filter(([key]) => !next.has(key)).map(([key]) => [key, null] as const)
  const stamp = { releaseId: idOf('rel', now), publishedAt: now }
  return {
    after: { ...published, files: files.with([...gone, ...next]) },
    uploads: plan(due, [], { keyId: null, stampOf: () => stamp }).uploads,
    copies,
  }
}

/** A warning for each redirect whose target the site does not have. */
export function deadRedirects(
  redirects: readonly FolderRedirect[],
  state: BuildState,
): readonly Diagnostic[] {
  return placedIn(redirects, state).flatMap(({ redirect: { from, to, line }, end }) => {
    if (end !== null) return []
    const message = `${from} leads to ${writtenTarget(to)}, which the site does not have.`
    return [diagnostic('QN-DEAD-REDIRECT', REDIRECTS_FILE, message, { line, field: from })]
  })
}

function placedIn(
  redirects: readonly FolderRedirect[],
  { files }: BuildState,
): readonly PlacedRedirect<FolderRedirect>[] {
  return placeRedirects(redirects, {
    pathOf: () => null,
    pageBehind: () => null,
    kindAt(key) {
      const file = files.get(key)
      return file === undefined ? null : objectKind(key, file.owner?.kind ?? null)
    },
    isTaken(key) {
      const file = files.get(key)
      return file !== undefined && file.owner?.kind !== 'site-redirect'
    },
  })
}

function bytesAt(key: string, changed: ReadonlyMap<string, Artifact>, out: string): Uint8Array {
  const upload = changed.get(key)
  if (upload === undefined) return readFileSync(join(out, key))
  return upload.spilled === undefined ? upload.body : readFileSync(spillFile({ key }, upload.spilled))
}

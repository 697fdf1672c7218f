import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Credential } from '../domain/caller.ts'
import type { KeyId, PageId, ProjectId, SessionId } from '../domain/ids.ts'

const SESSION = 'ses_'

/** The right to see the current version of one page until a time, as long as an API key or a session is live. */
export interface PreviewGrant {
  readonly pageId: PageId
  /** The API key or session that created the link. */
  readonly issuer: Credential
  /** ISO 8601 UTC. */
  readonly expiresAt: string
}

/** Returns a token for URLs: `{page}.{API key}.{expiry}.{signature}`, with `ses_{session}` for a session. */
export function signPreview({ pageId, issuer, expiresAt }: PreviewGrant, key: Uint8Array): string {
  const by = issuer.kind === 'key' ? issuer.id : `${SESSION}${issuer.id}`
  const claim = `${pageId}.${by}.${Date.parse(expiresAt).toString(36)}`
  return `${claim}.${signature(claim, key)}`
}

/** Verifies a token. Null if it was not signed with the key. It may have expired. */
export function openPreview(token: string, key: Uint8Array): PreviewGrant | null {
  const [, claim = '', pageId = '', session, id = '', expiry = '', given = ''] =
    /^(([a-z0-9]{16})\.(ses_)?([a-z0-9]{16})\.([a-z0-9]{1,10}))\.([\w-]{43})$/.exec(token) ?? []
  if (!isEqual(given, signature(claim, key))) return null
  const expiresAt = new Date(Number.parseInt(expiry, 36)).toISOString()
  const issuer: Credential =
    session === SESSION ? { kind: 'session', id: id as SessionId } : { kind: 'key', id: id as KeyId }
  return { pageId: pageId as PageId, issuer, expiresAt }
}

/** The right to read one original until a time. */
export interface OriginalGrant {
  readonly projectId: ProjectId
  /** SHA-256 of its bytes, hex. */
  readonly digest: string
  /** Extension of the file that it is served as. */
  readonly extension: string
  /** ISO 8601 UTC. */
  readonly expiresAt: string
}

/** Returns a file name that only the service can make: `{project}.{digest}.{expiry}.{signature}.{extension}`. */
export function signOriginal(
  { projectId, digest, extension, expiresAt }: OriginalGrant,
  key: Uint8Array,
): string {
  const claim = `${projectId}.${digest}.${Date.parse(expiresAt).toString(36)}`
  return `${claim}.${signature(`${claim}.${extension}`, key)}.${extension}`
}

/** Verifies such a file name. Null if it was not signed with the key or has expired. */
export function openOriginal(file: string, key: Uint8Array, now: string): OriginalGrant | null {
  const [, claim = '', projectId = '', digest = '', expiry = '', given = '', extension = ''] =
    /^(([a-z0-9]{16})\.([a-f0-9]{64})\.([a-z0-9]{1,10}))\.([\w-]{43})\.([a-z0-9]{1,10})$/.exec(file) ?? []
  if (!isEqual(given, signature(`${claim}.${extension}`, key))) return null
  const expiresAt = new Date(Number.parseInt(expiry, 36)).toISOString()
  return now < expiresAt ? { projectId: projectId as ProjectId, digest, extension, expiresAt } : null
}

function isEqual(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

function signature(claim: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(claim).digest('base64url')
}

import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { REDIRECT_PATH_RULE, readRedirectPath } from '../domain/redirect-path.ts'
import { readRedirectTarget, TARGET_RULE } from '../domain/site-redirect.ts'
import type { FolderRedirect } from './site.ts'

/** The file that Netlify, Cloudflare Pages and others read. */
const NETLIFY_FILE = '_redirects'

/** Permanent redirects. The exclamation mark would let a redirect win over a file. Here none does. */
const PERMANENT = /^30[18]!?$/

/**
 * Reads a `_redirects` file of Netlify. Each line has a path, a target and an optional status. Placeholders, splats, conditions
 * and other statuses than 301 and 308 are errors.
 */
export function readNetlifyRedirects(text: string): {
  readonly redirects: readonly FolderRedirect[]
  readonly errors: readonly Diagnostic[]
} {
  const redirects: FolderRedirect[] = []
  const errors: Diagnostic[] = []
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    const [from, target, ...rest] = written
      .replace(/(^|\s)#.*$/s, '')
      .trim()
      .split(/\s+/)
    if (from === undefined || from === '') continue
    const read = readLine(from, target, rest)
    if (typeof read === 'string')
      errors.push(diagnostic('QN-BAD-VALUE', NETLIFY_FILE, read, { line, field: from }))
    else redirects.push({ ...read, line })
  }
  return { redirects, errors }
}

/** The redirect of a line, or why it is none. */
function readLine(
  from: string,
  target: string | undefined,
  [status = '301', ...conditions]: readonly string[],
): Omit<FolderRedirect, 'line'> | string {
  if (/[*:]/.test(from)) return `${from} is a pattern, and there are none: write a line for each path.`
  const path = readRedirectPath(from)
  if (path === null) return `${from} ${REDIRECT_PATH_RULE}`
  const to = target === undefined ? null : readRedirectTarget(target)
  if (to === null) return `The target of ${from} ${TARGET_RULE}`
  if (!PERMANENT.test(status))
    return `${from} has ${status}, and there are only redirects for good: 301 or 308.`
  if (conditions.length > 0) return `${from} has conditions, and there are none: ${conditions.join(' ')}`
  return { from: path, to }
}

import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'

/**
 * Nothing inline, no scripts, no framing by others. Previews are frames of the dashboard itself, which their own policy
 * puts into a sandbox.
 */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** The headers of every answer of the dashboard. */
export function setHeaders(ctx: Context): void {
  // Other origins have no access here: the CORS header of the API is set for every route.
  ctx.remove('Access-Control-Allow-Origin')
  ctx.remove('Access-Control-Expose-Headers')
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
  })
}

/** A nonce for the styles that the editor writes. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url')
}

/** Lets a page run its script: a file of ours, requests to this host, and styles with the nonce. Nothing else. */
export function allowScript(ctx: Context, nonce: string | null): void {
  const policy =
    nonce === null ? POLICY : POLICY.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
  ctx.set('Content-Security-Policy', `${policy}; script-src 'self'; connect-src 'self'`)
}

/** The policy of tenant content in a frame of the dashboard: an origin of its own, and no page but ours around it. */
export const FRAMED =
  "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'"

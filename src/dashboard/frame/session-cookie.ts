import type { Context } from 'koa'
import { REMEMBERED_DAYS } from '../../domain/remembered-browser.ts'
import type { Client, SessionWithToken } from '../../services/accounts/new-session.ts'
import type { DashboardContext } from '../ports.ts'

/**
 * The cookie of a session. Over HTTPS its name has the prefix `__Host-`: browsers accept it only from this very host,
 * so no other host of the domain can set it. Plain HTTP, for trials on loopback, cannot have the prefix.
 */
const NAMES = { secure: '__Host-quoin_session', plain: 'quoin_session' } as const
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60

/** The cookie of a remembered browser, in which users have signed in. It outlives their sessions and gives no right. */
const BROWSER_NAMES = { secure: '__Host-quoin_known', plain: 'quoin_known' } as const
const BROWSER_SECONDS = REMEMBERED_DAYS * 24 * 60 * 60

/** The token that a browser sent; null without one. */
export function sessionToken(cookieHeader: string, isSecure: boolean): string | null {
  const value = cookieValue(cookieHeader, isSecure ? NAMES.secure : NAMES.plain)
  return value !== null && /^[\w-]{20,200}$/.test(value) ? value : null
}

/** The browser that a cookie names; empty without one. */
export function browserCookie(cookieHeader: string, isSecure: boolean): string {
  return cookieValue(cookieHeader, isSecure ? BROWSER_NAMES.secure : BROWSER_NAMES.plain) ?? ''
}

/** The browser of a request to the dashboard, as sign-ins record it. */
export function clientOf(ctx: DashboardContext): Client {
  const { address, isSecure } = ctx.state
  return { address, userAgent: ctx.get('user-agent'), browser: browserCookie(ctx.get('cookie'), isSecure) }
}

function cookieValue(cookieHeader: string, name: string): string | null {
  const values = cookieHeader
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  // Two cookies of one name: another path or domain has set one of them.
  return values.length === 1 ? (values[0] ?? null) : null
}

/** Sets the cookies of a signed-in user. */
export function setSessionCookie(
  ctx: Context,
  { token, browser }: Pick<SessionWithToken, 'token' | 'browser'>,
  isSecure: boolean,
): void {
  ctx.append('Set-Cookie', cookie(isSecure ? NAMES.secure : NAMES.plain, token, MAX_AGE_SECONDS, isSecure))
  setBrowserCookie(ctx, browser, isSecure)
}

export function setBrowserCookie(ctx: Context, browser: string, isSecure: boolean): void {
  const name = isSecure ? BROWSER_NAMES.secure : BROWSER_NAMES.plain
  ctx.append('Set-Cookie', cookie(name, browser, BROWSER_SECONDS, isSecure))
}

export function clearSessionCookie(ctx: Context, isSecure: boolean): void {
  ctx.append('Set-Cookie', cookie(isSecure ? NAMES.secure : NAMES.plain, '', 0, isSecure))
}

function cookie(name: string, value: string, maxAge: number, isSecure: boolean): string {
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${name}=${value}; ${attributes}`
}

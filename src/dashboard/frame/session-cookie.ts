import type { Context } from 'koa'

/**
 * The cookie of a session. Over HTTPS its name has the prefix with which browsers accept it only from this very host,
 * so that no other host of the domain can set it. Plain HTTP, for trials on loopback, cannot have the prefix.
 */
const NAMES = { secure: '__Host-quoin_session', plain: 'quoin_session' } as const
const MAX_AGE_SECONDS = 30 * 24 * 60 * 60

/** The token that a browser sent; null without one. */
export function sessionToken(cookieHeader: string, isSecure: boolean): string | null {
  const name = isSecure ? NAMES.secure : NAMES.plain
  const values = cookieHeader
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  // Two cookies of one name: another path or domain has set one of them.
  return values.length === 1 && /^[\w-]{20,200}$/.test(values[0] ?? '') ? (values[0] ?? null) : null
}

export function setSessionCookie(ctx: Context, token: string, isSecure: boolean): void {
  ctx.append('Set-Cookie', cookie(token, MAX_AGE_SECONDS, isSecure))
}

export function clearSessionCookie(ctx: Context, isSecure: boolean): void {
  ctx.append('Set-Cookie', cookie('', 0, isSecure))
}

function cookie(value: string, maxAge: number, isSecure: boolean): string {
  const name = isSecure ? NAMES.secure : NAMES.plain
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${name}=${value}; ${attributes}`
}

import type { Context } from 'koa'

const NAME = 'quoin_language'
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60

/** The language chosen in this browser; empty for none. */
export function chosenLanguage(cookieHeader: string): string {
  return new RegExp(`(?:^|;\\s*)${NAME}=([a-z]{2})(?:;|$)`).exec(cookieHeader)?.[1] ?? ''
}

/** @param lang a language of the dashboard. */
export function setLanguageCookie(ctx: Context, lang: string, isSecure: boolean): void {
  const attributes = `Path=/dashboard; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  ctx.append('Set-Cookie', `${NAME}=${lang}; ${attributes}`)
}

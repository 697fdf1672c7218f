import { parseUrl } from '../domain/parse-url.ts'

/** A mail server, and in whose name mails are sent. */
export interface SmtpTarget {
  readonly host: string
  readonly port: number
  /** TLS from the start; otherwise the connection is upgraded. */
  readonly isTls: boolean
  /** Credentials of the sign-in; null for none. */
  readonly auth: { readonly user: string; readonly pass: string } | null
  /** The sender: `name <address>`, or an address. */
  readonly from: string
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/

/** @throws {RangeError} without any part of the URL, which may hold a password. */
export function parseSmtpUrl(text: string, from: string): SmtpTarget {
  const url = parseUrl(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname))
    throw new RangeError('must look like smtp://user:password@mail.example.com:587 or smtps://…')
  const isTls = url.protocol === 'smtps:'
  const auth =
    url.username === ''
      ? null
      : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  return {
    host: url.hostname,
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    isTls,
    auth,
    from,
  }
}

/** Links of mails open accounts, so only a server on this machine may get them without encryption. */
export function isLocal({ host }: SmtpTarget): boolean {
  return LOOPBACK.test(host)
}

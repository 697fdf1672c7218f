import { normalForm } from './normal-form.ts'
import { parseUrl } from './parse-url.ts'

/** An address to which mail can be sent. */
export interface EmailAddress {
  /** The address in its author's spelling, without blanks around it. */
  readonly written: string
  /** The mailbox as mail servers name it, with the domain in Punycode. */
  readonly mailbox: string
  /** The form that all spellings share: lower case, with the domain in Punycode. */
  readonly key: string
}

/** Address of the user that an installation without users gets. No mail can be sent to it. */
export const PLACEHOLDER = 'owner@localhost'

/** Longest address of RFC 5321, in bytes. */
export const MAX_ADDRESS = 254
const MAX_LOCAL = 64

export const INVALID_ADDRESS = `must be an e-mail address such as ada@example.com, of at most ${MAX_ADDRESS} characters.`

/** A dot-atom of RFC 5322 in ASCII. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/**
 * Two labels or more of letters, digits and inner hyphens. The last one begins with a letter, which no IP address has.
 */
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/
/** ASCII that has no place in a domain, such as percent encoding and brackets. The conversion would interpret it. */
const FOREIGN = /[^a-z0-9.-]/i
/** Control and format characters, which are invisible. */
const INVISIBLE = /[\p{Cc}\p{Cf}]/u

/** Parses an e-mail address. Null for text that is none: quotes, comments, lists, IP addresses, single labels. */
export function parseAddress(text: string): EmailAddress | null {
  const written = text.trim()
  if (written.toLowerCase() === PLACEHOLDER)
    return { written: PLACEHOLDER, mailbox: PLACEHOLDER, key: PLACEHOLDER }
  if (written.length > MAX_ADDRESS || INVISIBLE.test(written)) return null
  const at = written.lastIndexOf('@')
  const local = written.slice(0, Math.max(at, 0))
  const domain = asciiDomain(written.slice(at + 1))
  if (!LOCAL.test(local) || local.length > MAX_LOCAL || domain === null) return null
  const mailbox = `${local}@${domain}`
  return mailbox.length > MAX_ADDRESS ? null : { written, mailbox, key: mailbox.toLowerCase() }
}

/**
 * Returns the key by which addresses are compared: all spellings of an e-mail address share it. Mail servers may tell
 * capitals apart, but none in use does. Text that is no address has a key too: earlier versions stored some.
 */
export function addressKey(text: string): string {
  return parseAddress(text)?.key ?? normalForm(text.trim()).toLowerCase()
}

/** Reports whether an address is only a name for the first user. No mail can be sent to it. */
export function isPlaceholder(address: string): boolean {
  return address.endsWith('@localhost')
}

function asciiDomain(text: string): string | null {
  if (FOREIGN.test(text.replace(/\P{ASCII}/gu, ''))) return null
  const ascii = parseUrl(`http://${text}`)?.hostname ?? ''
  return DOMAIN.test(ascii) ? ascii : null
}

declare const brand: unique symbol

/** One internal id: 16 lowercase letters and digits without look-alikes. `K` keeps kinds apart. */
export type Id<K extends IdPrefix> = string & { readonly [brand]: K }

export type IdPrefix =
  | 'proj'
  | 'page'
  | 'usr'
  | 'key'
  | 'ses'
  | 'psk'
  | 'mail'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'rel'
  | 'job'
  | 'ast'
  | 'mem'
  | 'org'
  | 'aud'
  | 'psh'
  | 'off'
  | 'rdr'

export type ProjectId = Id<'proj'>
export type PageId = Id<'page'>
export type UserId = Id<'usr'>
export type KeyId = Id<'key'>
export type SessionId = Id<'ses'>
export type MailId = Id<'mail'>
export type PasskeyId = Id<'psk'>
export type AuditId = Id<'aud'>
export type ReleaseId = Id<'rel'>
export type JobId = Id<'job'>
export type WebhookId = Id<'whk'>
export type EventId = Id<'evt'>
export type DeliveryId = Id<'dlv'>
export type AssetId = Id<'ast'>
export type MemberId = Id<'mem'>
export type PushId = Id<'psh'>
export type OfferId = Id<'off'>
export type RedirectId = Id<'rdr'>

/** No `l`, `1`, `o` or `0`, so that an id can be read aloud. */
export const ID_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
export const ID_LENGTH = 16

const BARE = new RegExp(`^[${ID_ALPHABET}]{${ID_LENGTH}}$`)

/** The form on the current surface: `page_<id>`. */
export function prefixed<K extends IdPrefix>(prefix: K, id: Id<K>): string {
  return `${prefix}_${id}`
}

/** Parses `page_<id>` or the bare `<id>`; null for any other text, including other prefixes. */
export function readId<K extends IdPrefix>(prefix: K, text: string): Id<K> | null {
  const bare = text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : text
  return BARE.test(bare) ? (bare as Id<K>) : null
}

import { isJsonObject } from './json.ts'
import { MEDIA_PATH, readMediaName } from './media-name.ts'
import type { Page } from './page.ts'
import type { Settings } from './settings.ts'

/** Names that count: each is a row in the database for its page, and an image or file on the site. */
const MAX_NAMES = 1_000
/** Addresses of one text that are looked at: hostile texts have far more than any page shows. */
const MAX_ADDRESSES = 10_000
/** Limit of addresses read in one text: hostile texts have far more than any page shows. */
const MAX_LOOKED = 100_000
/** A name of the longest kind in which every byte is escaped. */
const MAX_ADDRESS = 1_000

/**
 * Returns the names of assets in Markdown, HTML, CSS, and fields with an address. A name counts wherever it is written,
 * also where a page does not show it, such as in a code block.
 *
 * @returns each name once, sorted; of more than 1,000, the first ones.
 */
export function mediaNames(values: readonly unknown[]): readonly string[] {
  const names = new Set<string>()
  for (const value of values) collect(value, names)
  return [...names].sort()
}

/** The names of assets that a page states anywhere in its content. */
export function pageMediaNames({
  markdown,
  config,
  ownFields,
  ogImageUrl,
}: Pick<Page, 'markdown' | 'config' | 'ownFields' | 'ogImageUrl'>): readonly string[] {
  return mediaNames([markdown, config, ownFields, ogImageUrl])
}

/** The names of assets in the settings of a site. */
export function settingsMediaNames(settings: Settings): readonly string[] {
  return mediaNames(Object.values(settings))
}

/**
 * The text with another address in place of each one that names an asset.
 *
 * @param addressOf the address of an asset; null leaves it as it is written.
 */
export function withMediaAddresses(text: string, addressOf: (name: string) => string | null): string {
  if (!text.includes(MEDIA_PATH)) return text
  // Several addresses may be between one pair of quotation marks, as in `srcset`.
  const inQuotes = (address: string) => replaced(address, addressOf) ?? mapBare(address)
  const mapBare = (part: string) => part.replace(BARE, (address) => replaced(address, addressOf) ?? address)
  return text.replace(ADDRESS, inQuotes)
}

/** Returns the address with its asset replaced, and the rest after the name; null for an address without an asset. */
function replaced(address: string, addressOf: (name: string) => string | null): string | null {
  if (address.length > MAX_ADDRESS) return null
  const [path = ''] = address.split(/[?#]/, 1)
  const end = path.endsWith('.') && nameIn(path.slice(0, -1)) !== null ? '.' : ''
  for (const stop of ['', end]) {
    const name = nameIn(path.slice(0, path.length - stop.length))
    const found = name === null ? null : addressOf(name)
    if (found !== null) return found + stop + address.slice(path.length)
  }
  return null
}

/** The name of an asset in an address; null for an address that names none. */
export function nameIn(address: string): string | null {
  return address.startsWith(MEDIA_PATH) ? readMediaName(decoded(address.slice(MEDIA_PATH.length))) : null
}

function collect(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') collectFromText(value, names)
  else if (Array.isArray(value)) for (const item of value) collect(item, names)
  else if (isJsonObject(value)) for (const item of Object.values(value)) collect(item, names)
}

function collectFromText(text: string, names: Set<string>): void {
  if (!text.includes(MEDIA_PATH)) return
  // The whole value of a field is an address, in which a space needs no escape.
  if (text.startsWith(MEDIA_PATH) && addName(text, names)) return
  const seen = new Set<string>()
  let looked = 0
  for (const pattern of [QUOTED, BARE])
    for (const [address] of text.matchAll(pattern)) {
      looked += 1
      if (names.size >= MAX_NAMES || seen.size >= MAX_ADDRESSES || looked > MAX_LOOKED) return
      if (seen.has(address)) continue
      seen.add(address)
      addName(address, names)
    }
}

/** An address between quotation marks or angle brackets, which ends with them. */
const QUOTED = /(?<=["'<])\/media\/[^"'<>\n]+(?=["'>])/g
/** An address that is not in the middle of another one. It ends before what Markdown, HTML and CSS write after it. */
const BARE = /(?<![\p{L}\p{N}/\-_.~%:])\/media\/[^\s"'<>()[\]{}|\\^`,;!*]+/gu

/** Either, the longer one first. */
const ADDRESS = new RegExp(`${QUOTED.source}|${BARE.source}`, 'gu')

/** @returns whether the address names an asset. */
function addName(address: string, names: Set<string>): boolean {
  if (address.length > MAX_ADDRESS) return false
  const [path = ''] = address.split(/[?#]/)
  const text = decoded(path.slice(MEDIA_PATH.length))
  // A full stop may end the sentence instead of the name.
  const ends = text.endsWith('.') ? [text, text.slice(0, -1)] : [text]
  const found = ends.flatMap((one) => readMediaName(one) ?? [])
  for (const name of found) if (names.size < MAX_NAMES) names.add(name)
  return found.length > 0
}

/**
 * Decodes a path. A wrong escape becomes a character that no name has. Unlike `decodeURIComponent`, it never throws:
 * throwing is slow.
 */
function decoded(path: string): string {
  if (!path.includes('%')) return path
  return new URLSearchParams(`_=${path.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('_') ?? ''
}

import { isJsonObject } from './json.ts'
import { MEDIA_PATH, readMediaName } from './media-name.ts'

/**
 * The names of assets in texts and values: of Markdown, HTML and CSS, and of fields that hold an address. A name counts
 * wherever it is written, also where a page does not show it, such as in a code block.
 *
 * @returns each name once, sorted.
 */
export function mediaNames(values: readonly unknown[]): readonly string[] {
  const names = new Set<string>()
  for (const value of values) collect(value, names)
  return [...names].sort()
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
  for (const [, address = ''] of text.matchAll(QUOTED)) addName(address, names)
  for (const [address] of text.matchAll(BARE)) addName(address, names)
}

/** An address between quotation marks or angle brackets, which ends with them. */
const QUOTED = /(?<=["'<])(\/media\/[^"'<>\n]*)(?=["'>])/g
/** An address that is not in the middle of another one. It ends before what Markdown, HTML and CSS write after it. */
const BARE = /(?<![\p{L}\p{N}/\-_.~%:])\/media\/[^\s"'<>()[\]{}|\\^`,;!*]+/gu

/** @returns whether the address names an asset. */
function addName(address: string, names: Set<string>): boolean {
  const [path = ''] = address.split(/[?#]/)
  const text = decoded(path.slice(MEDIA_PATH.length))
  // A full stop may end the sentence instead of the name.
  const found = [text, text.replace(/\.$/, '')].flatMap((one) => readMediaName(one) ?? [])
  for (const name of found) names.add(name)
  return found.length > 0
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

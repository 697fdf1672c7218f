/** A shortcode of a text, e.g. `[caption width="300"]…[/caption]`. */
export interface Shortcode {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Text between its two tags. Null without a closing tag. */
  readonly inner: string | null
}

/** The HTML of a shortcode. Null for one that is not known: its text stays. */
export type ShortcodeHtml = (shortcode: Shortcode) => string | null

const TAG = /\[(\/?)([a-zA-Z][\w-]{0,60})((?:[^[\]"'<>]|"[^"\n]{0,2000}"|'[^'\n]{0,2000}'){0,1000})\]/g
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))|"([^"]*)"|(\S+)/g
/** Code shows shortcodes as they are written. */
const VERBATIM = /<(pre|code|script|style)\b[^<>]*>(?:(?!<\/\1\s*>)[\s\S])*<\/\1\s*>/gi
/** Shortcodes around code. They hold no other shortcodes. */
const CODE =
  /\[(code|sourcecode|php|html|css|js|javascript|python|bash|sql|xml|java|ruby)((?:[^[\]\n]){0,300})\]((?:(?!\[\/\1\])[\s\S])*)\[\/\1\]/gi

interface Frame {
  readonly name: string
  readonly written: string
  readonly attributes: ReadonlyMap<string, string>
  text: string
}

/**
 * Replaces the shortcodes of a text. Of unknown ones the text inside stays; words in brackets that are no shortcode stay.
 *
 * @returns the names of unknown ones, by how often they occur.
 */
export function replaceShortcodes(
  text: string,
  htmlOf: ShortcodeHtml,
): { readonly html: string; readonly unknown: ReadonlyMap<string, number> } {
  const unknown = new Map<string, number>()
  const kept: string[] = []
  const protect = (html: string) => `\uE001${kept.push(html) - 1}\uE001`
  const source = text
    .replaceAll('\uE001', '')
    .replace(CODE, (written, name: string, attributes: string, inner: string) =>
      protect(htmlOf({ name: name.toLowerCase(), attributes: attributesOf(attributes), inner }) ?? written),
    )
    .replace(VERBATIM, protect)
    // Two brackets show a shortcode instead of running it.
    .replace(/\[(\[[^[\]\n]{1,500}\])\]/g, (_, inner: string) => protect(inner))
  const open: Frame[] = [{ name: '', written: '', attributes: new Map(), text: '' }]
  const counts = new Map<string, number>()
  let at = 0
  for (const { 0: written, 1: slash, 2: name = '', 3: attributes = '', index } of source.matchAll(TAG)) {
    add(source.slice(at, index))
    at = index + written.length
    if (slash === '') {
      counts.set(name, (counts.get(name) ?? 0) + 1)
      open.push({ name, written, attributes: attributesOf(attributes), text: '' })
    } else if ((counts.get(name) ?? 0) > 0) close(name)
    else add(written)
  }
  add(source.slice(at))
  while (open.length > 1) endLast(null)
  const html = (open[0]?.text ?? '').replace(/\uE001(\d+)\uE001/g, (_, index: string) =>
    restored(kept, Number(index)),
  )
  return { html, unknown }

  function add(part: string): void {
    const last = open.at(-1)
    if (last !== undefined) last.text += part
  }

  function close(name: string): void {
    while (open.length > 1 && open.at(-1)?.name !== name) endLast(null)
    endLast(name)
  }

  /** Ends the innermost shortcode. What follows one without a closing tag is not inside of it. */
  function endLast(closedAs: string | null): void {
    const frame = open.pop()
    if (frame === undefined) return
    counts.set(frame.name, (counts.get(frame.name) ?? 1) - 1)
    const inner = closedAs === null ? null : frame.text
    const html = htmlOf({ name: frame.name.toLowerCase(), attributes: frame.attributes, inner })
    const rest = closedAs === null ? frame.text : ''
    // A word in brackets without attributes is text.
    const isText = closedAs === null && frame.attributes.size === 0
    if (html === null && !isText) unknown.set(frame.name, (unknown.get(frame.name) ?? 0) + 1)
    add((html ?? (isText ? frame.written : (inner ?? ''))) + rest)
  }
}

/** Protected text may hold protected text once more: code in code. */
function restored(kept: readonly string[], index: number): string {
  return (kept[index] ?? '').replace(/\uE001(\d+)\uE001/g, (_, inner: string) => kept[Number(inner)] ?? '')
}

/** Attributes by their names in small letters. Values without a name have their position, from 0. */
function attributesOf(written: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let position = 0
  for (const [, name, double, single, bare, quoted, word] of written
    .replace(/\/\s*$/, '')
    .matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? quoted ?? word ?? ''
    found.set(name === undefined ? String(position++) : name.toLowerCase(), value)
  }
  return found
}

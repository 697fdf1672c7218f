import { safeUrl } from '../domain/author-url.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { Section } from '../domain/section.ts'
import { shapeOf } from './catalogue.ts'
import { closeMarkdown } from './close-markdown.ts'
import { heading, image, link, paragraph } from './markdown-text.ts'
import type { Prop, Props, Shape } from './prop.ts'
import { textIn } from './values.ts'

/** A Markdown block. A list is an array of its items, one line each. */
type Block = string | readonly string[]

/** The Markdown of one object. */
interface Entry {
  readonly title: Title | null
  readonly body: readonly Block[]
}

interface Title {
  readonly text: string
  /** Target of a link around the title; null for none, and when a separate link text exists. */
  readonly url: string | null
}

/**
 * All visible text and links of a section as Markdown. Bodies are as written, other texts are escaped. Omits
 * appearance and unsafe links. Empty for a hidden section.
 *
 * @param level of the section's heading; headings inside are deeper.
 */
export function sectionMarkdown(section: Section, level: 1 | 2 = 2): string {
  if (section.props['hidden'] === true) return ''
  const shape = shapeOf(section)
  const entry = entryOf({ ...shape, props: inReadingOrder(shape.props) }, section.props, level + 1)
  return written(withHeading(entry, level))
}

/** Title, tagline and subtitle first; actions and background last. */
function inReadingOrder({ title, tagline, subtitle, actions, background, ...own }: Props): Props {
  const ordered = Object.entries({ title, tagline, subtitle, ...own, actions, background })
  return Object.fromEntries(ordered.flatMap(([name, prop]) => (prop === undefined ? [] : [[name, prop]])))
}

/**
 * The first text of an object is its title. The object's link wraps the title unless it has a text of its
 * own.
 *
 * @param level of headings below the title.
 */
function entryOf({ props, sentences = [] }: Shape, values: JsonObject, level: number): Entry {
  const names = Object.keys(props)
  const sentenceOf = (name: string) => sentences.find(({ of }) => of.includes(name))
  const titleName = names.find((name) => props[name]?.kind === 'text' && sentenceOf(name) === undefined)
  const text = titleName === undefined ? null : textIn(values, titleName)
  const url = textIn(values, labelName('link')) === null ? textIn(values, 'link') : null
  const handled = [titleName, ...names.map(labelName), ...(text === null || url === null ? [] : ['link'])]
  return {
    title: text === null ? null : { text, url },
    body: names.filter((name) => !handled.includes(name)).flatMap((name) => blocksOf(name)),
  }

  function blocksOf(name: string): readonly Block[] {
    const prop = props[name]
    const value = values[name]
    const sentence = sentenceOf(name)
    if (sentence !== undefined) return sentence.of[0] === name ? blockOf(sentence.markdown(values)) : []
    if (prop?.kind === 'link') return typeof value === 'string' ? linkBlocks(name, value, values) : []
    return prop === undefined || value === undefined ? [] : propBlocks(prop, value, level)
  }
}

function blockOf(markdown: string | null): readonly Block[] {
  return markdown === null ? [] : [markdown]
}

/** Name of the prop that holds a link's text. */
function labelName(link: string): string {
  return `${link}_text`
}

/** A link with its text; an image for the `src` of an image. */
function linkBlocks(name: string, url: string, values: JsonObject): readonly Block[] {
  // The dark variant shows the same image.
  if (name === 'dark') return []
  const label = textIn(values, labelName(name)) ?? (name === 'link' ? url : name.replaceAll('_', ' '))
  const block = name === 'src' ? image(textIn(values, 'alt') ?? '', url) : link(label, url)
  return block === null ? [] : [block]
}

function propBlocks(prop: Prop, value: JsonValue, level: number): readonly Block[] {
  switch (prop.kind) {
    case 'text':
      return typeof value === 'string' ? [paragraph(value)] : []
    case 'inline':
    case 'markdown':
      return typeof value === 'string' ? [closeMarkdown(value)] : []
    case 'object':
      return objectBlocks(prop.shape, value, level)
    case 'choice-or-image':
      return objectBlocks(prop.image, value, level)
    case 'list':
      return Array.isArray(value) ? listBlocks(prop.of, value, level) : []
    default:
      return []
  }
}

function objectBlocks(shape: Shape, value: JsonValue, level: number): readonly Block[] {
  return entriesOf(shape, value, level + 1).flatMap((entry) => {
    const line = lineOf(entry)
    return line === null ? withHeading(entry, level) : [line]
  })
}

/** A list when every value fits on a line, else consecutive blocks. */
function listBlocks(of: Prop, values: readonly JsonValue[], level: number): readonly Block[] {
  const all = values.flatMap((value) =>
    of.kind === 'object'
      ? entriesOf(of.shape, value, level + 1)
      : [{ title: null, body: propBlocks(of, value, level) }],
  )
  const entries = all.filter(({ title, body }) => title !== null || body.length > 0)
  const lines = entries.map(lineOf).filter((line) => line !== null)
  if (lines.length < entries.length) return entries.flatMap((entry) => withHeading(entry, level))
  return lines.length === 0 ? [] : [lines]
}

/** Empty for objects that require a link and have none, e.g. a button. */
function entriesOf(shape: Shape, value: JsonValue, level: number): readonly Entry[] {
  if (!isJsonObject(value)) return []
  const links = shape.requires.filter((name) => shape.props[name]?.kind === 'link')
  const leads = links.every((name) => safeUrl(textIn(value, name) ?? '', 'link') !== null)
  return leads ? [entryOf(shape, value, level)] : []
}

/** Returns null for an entry that does not fit on a line. */
function lineOf({ title, body }: Entry): string | null {
  if (title !== null) return body.length === 0 ? titleLine(title) : null
  const [only, ...others] = body
  return typeof only === 'string' && !/[\r\n]/.test(only) && others.length === 0 ? only : null
}

function titleLine({ text, url }: Title): string {
  return (url === null ? null : link(text, url)) ?? paragraph(text)
}

function withHeading({ title, body }: Entry, level: number): readonly Block[] {
  if (title === null) return body
  const { text, url } = title
  return [heading(level, text, url), ...body]
}

function written(blocks: readonly Block[]): string {
  const parts: string[] = []
  for (const block of blocks) parts.push(typeof block === 'string' ? block : bulletList(block, parts.at(-1)))
  return parts.join('\n\n')
}

/** Consecutive lists need different bullets to stay separate. */
function bulletList(lines: readonly string[], before = ''): string {
  const bullet = /^ {0,3}-[ \t]/m.test(before) ? '*' : '-'
  return lines.map((line) => `${bullet} ${line}`).join('\n')
}

import { argumentsIn, textsOfArguments } from '../body/argument-texts.ts'
import { boxKind, openingLine, tabLine } from '../body/box-kinds.ts'
import { quotedTag } from '../body/quoted-tag.ts'
import type { ProtectVerbatim, TagContext, TemplateTag } from '../conversion.ts'

/** Shortcodes of common themes that name their kind in an argument. */
const BOXES = new Set(['notice', 'alert', 'callout', 'admonition', 'hint'])
const TAG =
  /\{\{([<%])\s*(\/\s*)?([\w./-]+)((?:\s+(?:(?:[\w-]+=)?(?:"[^"\n]*"|`[^`]*`)|[^\s"`{}]+))*)\s*(?:\/\s*)?[>%]\}\}/g
/** Arguments of `figure` that an image in Markdown cannot have. */
const FIGURE_LOSSES = ['filter', 'attrlink']
/** A shortcode in comment marks, which Hugo prints instead of running it. */
const ESCAPED = /\{\{([<%]\s*)\/\*((?:(?!\{\{[<%]\s*\/\*)[\s\S])*?)\*\/(\s*[>%])\}\}/g

/** Keeps escaped shortcodes as they are written, in code and in prose. */
export const protectEscapedShortcodes: ProtectVerbatim = (body, protect) =>
  body.replace(ESCAPED, (_, start: string, tag: string, end: string) => protect(`{{${start}${tag}${end}}}`))

/** The shortcodes of Hugo, and usual ones of themes. */
export const HUGO_TAGS: readonly TemplateTag[] = [
  {
    pattern: /\{\{[<%]\s*(?:rel)?ref\s+"?([^"\s>%]+)"?\s*[>%]\}\}/g,
    replace: ([, name = ''], { linkTo }) => linkTo(name),
  },
  {
    pattern: /\{\{[<%]\s*(?:figure|img|image)\s([^{}]*)[>%]\}\}/g,
    replace: ([, given = ''], { linkTo }) => {
      const { named, others } = argumentsOf(given.trimEnd().replace(/\/$/, ''))
      const { alt, caption, title, attr, link } = named
      const src = named['src'] ?? others.find((word) => /\.\w+$/.test(word))
      if (src === undefined) return null
      const about = [title, caption].filter((part) => part).join(': ')
      const words = [about, attr].filter((part) => part).join(' – ')
      // An image may be in `assets`, too.
      const target = linkTo(src) ?? linkTo(`/${src}`) ?? src
      const image = `![${alt ?? words}](${target}${words === '' ? '' : ` ${JSON.stringify(words)}`})`
      const text = link ? `[${image}](${link})` : image
      const lost = FIGURE_LOSSES.filter((name) => named[name]).map((name) => `\`${name}\``)
      return lost.length === 0 ? text : { text, message: `Of a picture, ${lost.join(', ')} is left out.` }
    },
  },
  {
    pattern: /\{\{[<%]\s*youtube\s+(?:id=)?"?([\w-]+)(?![\w-])"?[^{}]*[>%]\}\}/g,
    replace: ([, id = '']) => `[https://youtu.be/${id}](https://youtu.be/${id})`,
  },
  {
    pattern: TAG,
    replace(found, context) {
      const [tag, , slash = '', name = '', given = ''] = found
      const isEnd = slash !== ''
      const hasText = isEnd || closedNames(context).has(name)
      // A tag that is never closed is not a container.
      const known = hasText ? line(name.toLowerCase(), isEnd, given) : null
      if (known !== null) return onOwnLine(found, known)
      if (isEnd) return ''
      const texts = textsOfArguments(argumentsIn(given))
      if (texts === null && !hasText) return null
      const stays = [...(texts === null ? [] : ['of its arguments']), ...(hasText ? ['inside of it'] : [])]
      return {
        text: texts === null ? '' : hasText ? `**${texts}** ` : texts,
        message: `${quotedTag(tag)} is left out. The text ${stays.join(' and ')} stays.`,
      }
    },
  },
  { pattern: /\{\{[<%][^{}]*[>%]\}\}/g, replace: () => null },
  // Attributes of the previous block.
  { pattern: /^[ \t]*\{[ \t]*[.#][^{}\n]*\}[ \t]*$/gm, replace: () => null },
]

/** The line of Markdown that replaces a tag. Null for an unknown shortcode. */
function line(name: string, isEnd: boolean, given: string): string | null {
  const { named, others } = argumentsOf(given)
  if (name === 'tabs' || name === 'tabpane') return isEnd ? ':::' : ':::tabs'
  if (name === 'tab')
    return isEnd ? '' : tabLine(named['name'] ?? named['title'] ?? named['header'] ?? others[0] ?? 'Tab')
  const isBox = BOXES.has(name)
  const kind = name === 'details' || name === 'expand' ? 'details' : isBox ? '' : boxKind(name)
  if (kind === null) return null
  if (isEnd) return ':::'
  if (!isBox) return openingLine(kind, named['title'] ?? named['summary'] ?? others[0])
  const asked = (
    named['type'] ??
    named['kind'] ??
    named['style'] ??
    named['color'] ??
    others[0] ??
    'note'
  ).toLowerCase()
  return openingLine(
    boxKind(asked) ?? 'note',
    named['title'] ?? others.find((word) => boxKind(word) === null),
  )
}

/** Puts the line of a container on a line of its own. */
function onOwnLine({ input, index, 0: tag }: RegExpExecArray, text: string): string {
  if (text === '') return ''
  const before = input.slice(input.lastIndexOf('\n', index - 1) + 1, index)
  const after = /^[^\n]*/.exec(input.slice(index + tag.length))?.[0] ?? ''
  return `${before.trim() === '' ? '' : '\n'}${text}${after.trim() === '' ? '' : '\n'}`
}

interface Arguments {
  readonly named: Readonly<Record<string, string | undefined>>
  readonly others: readonly string[]
}

/** Parses `src="a.png" alt="A"`: named arguments by name, the others in order. */
function argumentsOf(text: string): Arguments {
  const found = [...text.matchAll(/(?:([\w-]+)=)?(?:"([^"]*)"|`([^`]*)`|([^\s"`]+))/g)].map(
    ([, name, ...values]) => ({ name, value: values.find((value) => value !== undefined) ?? '' }),
  )
  return {
    named: Object.fromEntries(
      found.flatMap(({ name, value }) => (name === undefined ? [] : [[name, value]])),
    ),
    others: found.flatMap(({ name, value }) => (name === undefined ? [value] : [])),
  }
}

/** Names of shortcodes that a page closes. Each of its tags asks for them. */
const namesOfPages = new WeakMap<TagContext, ReadonlySet<string>>()

function closedNames(context: TagContext): ReadonlySet<string> {
  const known = namesOfPages.get(context)
  if (known !== undefined) return known
  const closings = context.body.matchAll(/\{\{[<%]\s*\/\s*([\w./-]+)(?![\w./-])\s*[>%]/g)
  const names = new Set([...closings].map(([, name = '']) => name))
  namesOfPages.set(context, names)
  return names
}

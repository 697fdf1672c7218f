import { headingText } from '../../page-text/first-heading.ts'
import { backticksFor } from '../body/backticks.ts'
import { textsOfComponent } from '../body/component-links.ts'
import { vitepressId } from '../body/heading-ids.ts'
import { quotedTag } from '../body/quoted-tag.ts'
import type { TemplateTag } from '../conversion.ts'
import { readJsxTag } from '../mdx/jsx-tag.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'

/** Longer headings are cut before they are read. */
const MAX_HEADING = 2_000
/** The start of a component. After a backslash, `<` is text, and so are types such as `Ref<T, S>` and `Ref<T\>`. */
const COMPONENT = String.raw`(?<!\\)<[A-Z][\w.-]*(?:\s+[:@#\w][^\s=<>"'\\,/]*(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*`

/** Components, includes and code from files. */
export const VITEPRESS_TAGS: readonly TemplateTag[] = [
  { pattern: /^\[\[toc\]\][ \t]*$/gim, replace: () => '' },
  { pattern: /<Badge\b[^<>]*(?<!\/)>([^<>]*)<\/Badge>/g, replace: ([, text = '']) => `**${text}**` },
  {
    pattern: /<Badge\b([^<>]*)\/>/g,
    replace: ([, attributes = '']) => {
      const text = /\btext="([^"]*)"/.exec(attributes)?.[1]
      return text === undefined ? null : `**${text}**`
    },
  },
  {
    pattern:
      /^<<<[ \t]*([^\s#{[]+)(?:#(\w[\w-]*))?(?:[ \t]*\{([^{}\n]*)\})?(?:[ \t]*(\[[^\]\n]*\]))?[ \t]*$/gm,
    replace: ([, name = '', region, options = '', title = ''], { textOf }) => {
      const text = textOf(name)
      const code = text === null ? null : region === undefined ? text : regionOf(text, region)
      return code === null ? null : fence(code, name, options, title)
    },
  },
  {
    pattern: /<!--[ \t]*@include:[ \t]*([^\s{}#<>]+)(?:#([\w-]+))?(?:\{(\d*)(?:,(\d*))?\})?[ \t]*-->/g,
    replace: ([, name = '', region, from, to], { textOf }) => {
      const text = textOf(name)
      const whole =
        text === null || region === undefined ? text : (regionOf(text, region) ?? headedBy(text, region))
      return whole === null ? null : linesOf(whole, from, to).trim()
    },
  },
  {
    // An image with its size, which Markdown cannot express.
    pattern: /!\[([^[\]\n]*)\]\(([^\s()]+)\)\{([^{}\n]*)\}/g,
    replace: ([, alt = '', src = '', given = ''], { linkTo }) => {
      const sizes = [...given.matchAll(/\b(width|height)=["']?(\d+%?)/g)].map(
        ([, name, size]) => ` ${name}="${size}"`,
      )
      if (sizes.length === 0)
        return {
          text: `![${alt}](${linkTo(src) ?? src})`,
          message: `Of a picture, \`{${given}}\` is left out.`,
        }
      return `<img src="${linkTo(src) ?? src}" alt="${alt.replaceAll('"', '&quot;')}"${sizes.join('')}>`
    },
  },
  { pattern: /^<<<[ \t]*\S+.*$/gm, replace: () => null },
  { pattern: /<!--[ \t]*@include:[^<>\n]*-->/g, replace: () => null },
  {
    pattern: /^<(script|style)\b(?:(?!^<(?:script|style)\b)[\s\S])*?^<\/\1>[ \t]*$/gm,
    replace: () => null,
  },
  { pattern: /\{\{[^{}]*\}\}/g, replace: () => null },
  { pattern: /(?<!\\)<\/[A-Z][\w.-]*\s*>/g, replace: () => '' },
  {
    pattern: new RegExp(`${COMPONENT}\\s*/>`, 'g'),
    replace: ([tag]) => {
      const texts = textsOfComponent(readJsxTag(tag, 0, new Map())?.attributes ?? {})
      return texts === null
        ? null
        : { text: texts.markdown, message: `${quotedTag(tag)} is left out. ${texts.message}` }
    },
  },
  {
    pattern: new RegExp(`${COMPONENT}\\s*>`, 'g'),
    replace: ([tag]) => ({
      text: '',
      message: `${quotedTag(tag)} is left out. The text inside of it stays.`,
    }),
  },
]

/** The lines of a text by their numbers in the file, front matter included; without numbers its body. */
function linesOf(text: string, from: string | undefined, to: string | undefined): string {
  if (from === undefined) return splitSourcePage(text).body
  const first = from === '' ? 1 : Number(from)
  const last = to === undefined ? first : to === '' ? undefined : Number(to)
  return text
    .split('\n')
    .slice(first - 1, last)
    .join('\n')
}

/** The part of a page below the heading with an anchor, the heading included. Null when there is none. */
function headedBy(text: string, anchor: string): string | null {
  const lines = text.split('\n')
  const levelOf = (line: string) => /^(#{1,6})[ \t]/.exec(line)?.[1]?.length ?? null
  const begins = lines.findIndex((line) => levelOf(line) !== null && idOf(line) === anchor)
  const level = levelOf(lines[begins] ?? '')
  if (level === null) return null
  const length = lines.slice(begins + 1).findIndex((line) => (levelOf(line) ?? 7) <= level)
  return lines.slice(begins, length === -1 ? undefined : begins + 1 + length).join('\n')
}

function idOf(heading: string): string {
  const stated = /\{#([^\s{}]+)\}[ \t]*$/.exec(heading)?.[1]
  return stated ?? vitepressId(headingText(heading.slice(0, MAX_HEADING).replace(/^#+[ \t]*/, '')))
}

/** Fences the text of a file. `{1,3 ts:line-numbers}` marks lines and names a language. */
function fence(code: string, name: string, options: string, title: string): string {
  const lines = /^[\d,\s-]+(?=\s|$)/.exec(options)?.[0].trim()
  const language = /[a-z][\w+#-]*(?::[\w-]+)?$/i.exec(options)?.[0] ?? name.split('.').at(-1) ?? ''
  const backticks = backticksFor(code, 3)
  const info = [`${language}${lines ? `{${lines}}` : ''}`, title].filter((part) => part !== '').join(' ')
  return `${backticks}${info}\n${code.replace(/\n?$/, '\n')}${backticks}`
}

/** The lines between `#region name` and `#endregion`, without their common indent. Null when the region is missing. */
function regionOf(text: string, name: string): string | null {
  const lines = text.split('\n')
  const begins = lines.findIndex((line) => new RegExp(`#?region\\s+${name}\\b`).test(line))
  const length = lines.slice(begins + 1).findIndex((line) => /#?endregion\b/.test(line))
  if (begins === -1 || length === -1) return null
  const region = lines.slice(begins + 1, begins + 1 + length)
  const indents = region
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0)
  const indent = Math.min(...indents)
  return region.map((line) => line.slice(indent)).join('\n')
}

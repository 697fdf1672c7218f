import { backticksFor } from '../body/backticks.ts'
import { textsOfComponent } from '../body/component-links.ts'
import { quotedTag } from '../body/quoted-tag.ts'
import type { TemplateTag } from '../conversion.ts'
import { readJsxTag } from '../mdx/jsx-tag.ts'
import { splitSourcePage } from '../page/source-front-matter.ts'

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
    pattern: /<!--[ \t]*@include:[ \t]*([^\s{}#<>]+)[ \t]*-->/g,
    replace: ([, name = ''], { textOf }) => {
      const text = textOf(name)
      return text === null ? null : splitSourcePage(text).body.trim()
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

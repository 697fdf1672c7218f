import { argumentsIn, textsOfArguments } from '../body/argument-texts.ts'
import { mapEnclosed } from '../body/map-enclosed.ts'
import { quotedTag } from '../body/quoted-tag.ts'
import type { ProtectVerbatim, TemplateTag } from '../conversion.ts'

/** Nunjucks calls the same block `verbatim`. */
const RAW = [
  { open: /\{%-?\s*raw\s*-?%\}/g, close: /\{%-?\s*endraw\s*-?%\}/g },
  { open: /\{%-?\s*verbatim\s*-?%\}/g, close: /\{%-?\s*endverbatim\s*-?%\}/g },
]
/** The start or the end of a tag. Text without them contains no tag. */
const DELIMITERS = /\{(?:\{+|[%#])|(?:\}+|[%#])\}/g

/** `{{ "{{" }}`, which prints the start or end of a tag. */
const PRINTED = /\{\{-?\s*(["'])((?:\{\{|\}\}|\{%|%\})[^"'\n]{0,200})\1\s*-?\}\}/g

/** Keeps the text of `raw` blocks as it is written, in code and in prose. */
export const protectRawBlocks: ProtectVerbatim = (body, protect) =>
  RAW.reduce(
    (text, { open, close }) =>
      mapEnclosed(text, open, close, (_, inner) => inner.replace(DELIMITERS, protect)),
    body,
  ).replace(PRINTED, (_, _quote, text: string) => protect(text))

/** Tags of Liquid and Nunjucks in Markdown. */
export const LIQUID_TAGS: readonly TemplateTag[] = [
  { pattern: /\{%-?\s*(?:end)?(?:raw|verbatim)\s*-?%\}/g, replace: () => '' },
  {
    pattern: /\{%-?\s*comment\s*-?%\}(?:(?!\{%-?\s*comment\b)[\s\S])*?\{%-?\s*endcomment\s*-?%\}/g,
    replace: () => '',
  },
  { pattern: /\{#(?:(?!\{#)[\s\S])*?#\}/g, replace: () => '' },
  {
    pattern: /\{%-?\s*link\s+(\S+?)\s*-?%\}/g,
    replace: ([, name = ''], { linkTo }) => linkTo(`/${name}`),
  },
  {
    pattern: /\{%-?\s*post_url\s+(\S+?)\s*-?%\}/g,
    replace: ([, name = ''], { linkTo }) => linkTo(`/_posts/${name}`),
  },
  {
    pattern: /(?:\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\})+(\/[^\s()<>"'{}]*)?/g,
    replace: ([, path = ''], { linkTo }) => linkTo(path) ?? path,
  },
  {
    pattern:
      /\{\{-?\s*["']([^"']*)["']\s*(?:\|\s*(?:relative_url|absolute_url|url|prepend:\s*site\.(?:baseurl|url))\s*)+-?\}\}/g,
    replace: ([, path = ''], { linkTo }) => linkTo(path) ?? path,
  },
  // An address with an unknown filter, such as one that shortens links.
  {
    pattern: /\{\{-?\s*["']((?:https?:)?\/[^"'\s]*)["']\s*\|[^{}]*\}\}/g,
    replace: ([tag, address = ''], { linkTo }) => ({
      text: linkTo(address) ?? address,
      message: `The filter of ${quotedTag(tag)} is left out.`,
    }),
  },
  // An unknown include shows the texts that it is given.
  {
    pattern: /\{%-?\s*include\s+[^\s%{}]+([^%{}]*)%\}/g,
    replace: ([tag, given = '']) => {
      const texts = textsOfArguments(argumentsIn(given.replace(/-$/, '')))
      return texts === null
        ? null
        : { text: texts, message: `${quotedTag(tag)} is left out. The text of its arguments stays.` }
    },
  },
  // Every page has a table of contents, so the list that kramdown replaces with one is dropped without a report.
  { pattern: /^ {0,3}(?:[*+-]|\d+\.)[ \t].*\n\{:[ \t]*toc[ \t]*\}[ \t]*$/gm, replace: () => '' },
  { pattern: /\{:[ \t]*(?:\.no_)?toc[ \t]*\}/g, replace: () => '' },
  { pattern: /\{:[^{}\n]*\}/g, replace: () => null },
  // Without the value, marks of emphasis around it would be text.
  { pattern: /(\*{1,3}|_{1,3})\{\{[^{}]*\}\}\1/g, replace: () => null },
  { pattern: /\{%(?:(?!\{%)[\s\S])*?%\}/g, replace: () => null },
  { pattern: /\{\{[^{}]*\}\}/g, replace: () => null },
]

import type { ProtectVerbatim, TemplateTag } from './conversion.ts'

/** Nunjucks knows it by another name, too. */
const RAW = /\{%-?\s*(raw|verbatim)\s*-?%\}([\s\S]*?)\{%-?\s*end\1\s*-?%\}/g
/** Either end of a construct: without them there is none. */
const ENDS = /\{(?:\{+|[%#])|(?:\}+|[%#])\}/g

/** What stands between marks of `raw` is to be read as it is, in code and in prose. */
export const protectRawBlocks: ProtectVerbatim = (body, keep) =>
  body.replace(RAW, (_, _name, text: string) => text.replace(ENDS, keep))

/** What Liquid and Nunjucks write into Markdown. */
export const LIQUID_TAGS: readonly TemplateTag[] = [
  { pattern: /\{%-?\s*(?:end)?(?:raw|verbatim)\s*-?%\}/g, replace: () => '' },
  { pattern: /\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}/g, replace: () => '' },
  { pattern: /\{#[\s\S]*?#\}/g, replace: () => '' },
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
  // Every page has its table of contents; whichever list stands for it in kramdown goes with its mark.
  { pattern: /^ {0,3}(?:[*+-]|\d+\.)[ \t].*\n\{:[ \t]*toc[ \t]*\}[ \t]*$/gm, replace: () => '' },
  { pattern: /\{:[ \t]*(?:\.no_)?toc[ \t]*\}/g, replace: () => '' },
  { pattern: /\{:[^{}\n]*\}/g, replace: () => null },
  { pattern: /\{%[\s\S]*?%\}/g, replace: () => null },
  { pattern: /\{\{[^{}]*\}\}/g, replace: () => null },
]

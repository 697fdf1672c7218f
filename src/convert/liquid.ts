import type { Construct } from './conversion.ts'

/** What Liquid and Nunjucks write into Markdown. */
export const LIQUID: readonly Construct[] = [
  { pattern: /\{%-?\s*(?:end)?raw\s*-?%\}/g, replace: () => '' },
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
  { pattern: /\{\{-?\s*(?:site\.baseurl|site\.url)\s*-?\}\}/g, replace: () => '' },
  {
    pattern: /\{\{-?\s*["']([^"']*)["']\s*\|\s*(?:relative_url|absolute_url|url)\s*-?\}\}/g,
    replace: ([, path = ''], { linkTo }) => linkTo(path) ?? path,
  },
  { pattern: /\{:[^{}\n]*\}/g, replace: () => '' },
  { pattern: /\{%[\s\S]*?%\}/g, replace: () => null },
  { pattern: /\{\{[^{}]*\}\}/g, replace: () => null },
]

/** Languages of code whose names in Notion have blanks or are unknown elsewhere. */
const LANGUAGES: Readonly<Record<string, string>> = {
  'plain text': 'text',
  'visual basic': 'vb',
  'vb.net': 'vb',
  'java/c/c++/c#': 'text',
  'objective-c': 'objc',
  'emacs lisp': 'elisp',
  'llvm ir': 'llvm',
  'notion formula': 'text',
  'ascii art': 'text',
  ebnf: 'text',
  markup: 'html',
}
const FENCE = /^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:`{3,}|~{3,}))[ \t]*([^\n`]*)$/

/** A line that begins code, with a name of the language that others know. */
export function withLanguage(line: string): string {
  const [, fence, language = ''] = FENCE.exec(line) ?? []
  const name = language.trim().toLowerCase()
  return fence === undefined || !Object.hasOwn(LANGUAGES, name) ? line : `${fence}${LANGUAGES[name]}`
}

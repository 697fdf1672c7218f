/** The address of another file in a text, and its line, from 1. */
export interface FileReference {
  readonly target: string
  readonly line: number
}

/** The signs around a comment, which holds no references. */
const CSS_COMMENT = ['/*', '*/'] as const
const CSS_REFERENCE =
  /url\(\s*(?:"([^"\n]*)"\s*\)|'([^'\n]*)'\s*\)|([^\s"'()]+)\s*\))|@import\s+(?:"([^"\n]*)"|'([^'\n]*)')/gi
const SVG_COMMENT = ['<!--', '-->'] as const
/** References of elements that show another file. Links (`<a>`) are for readers. */
const SVG_REFERENCE = /<(?:image|feImage|use)\s[^<>]*?(?:xlink:)?href=(?:"([^"\n]*)"|'([^'\n]*)')/gi
const STYLE_SHEET = /\.css$/i
const DRAWING = /\.svg$/i

/** Reports whether a file may name others that it needs. */
export function mayReferToFiles(path: string): boolean {
  return STYLE_SHEET.test(path) || DRAWING.test(path)
}

/** The files that a style sheet or an SVG needs, as written. Other sites, `data:` and fragments are not among them. */
export function fileReferences(path: string, text: string): readonly FileReference[] {
  const [comment, reference] = STYLE_SHEET.test(path)
    ? [CSS_COMMENT, CSS_REFERENCE]
    : [SVG_COMMENT, SVG_REFERENCE]
  const code = withoutComments(text, comment)
  const references: FileReference[] = []
  let line = 1
  let counted = 0
  for (const found of code.matchAll(reference)) {
    const [match, ...written] = found
    const target = written.find((each) => each !== undefined) ?? ''
    const end = found.index + match.length
    line += lineBreaks(code.slice(counted, end))
    counted = end
    if (target !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(target)) references.push({ target, line })
  }
  return references
}

/** Comments become their line breaks, since references have lines. One without an end is text. */
function withoutComments(text: string, [start, end]: readonly [string, string]): string {
  const parts: string[] = []
  let at = 0
  for (let open = text.indexOf(start); open !== -1; open = text.indexOf(start, at)) {
    const close = text.indexOf(end, open + start.length)
    if (close === -1) break
    parts.push(text.slice(at, open), ' ', '\n'.repeat(lineBreaks(text.slice(open, close))))
    at = close + end.length
  }
  return parts.join('') + text.slice(at)
}

function lineBreaks(text: string): number {
  return text.split('\n').length - 1
}

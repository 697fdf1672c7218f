/** The address of another file in a text, and its line, from 1. */
export interface FileReference {
  readonly target: string
  readonly line: number
}

/** Comments hold no references. */
const CSS_COMMENT = /\/\*[\s\S]*?\*\//g
const CSS_REFERENCE =
  /url\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]*))\s*\)|@import\s+(?:"([^"\n]*)"|'([^'\n]*)')/gi
const SVG_COMMENT = /<!--[\s\S]*?-->/g
/** Of elements that show another file. Links (`<a>`) are for readers. */
const SVG_REFERENCE = /<(?:image|feImage|use)\s[^<>]*?(?:xlink:)?href=(?:"([^"\n]*)"|'([^'\n]*)')/gi
const STYLE_SHEET = /\.css$/i
const DRAWING = /\.svg$/i

/** Whether a file may name others that it needs. */
export function mayReferToFiles(path: string): boolean {
  return STYLE_SHEET.test(path) || DRAWING.test(path)
}

/** The files that a style sheet or an SVG needs, as written. Other sites, `data:` and fragments are not among them. */
export function fileReferences(path: string, text: string): readonly FileReference[] {
  const [comment, reference] = STYLE_SHEET.test(path)
    ? [CSS_COMMENT, CSS_REFERENCE]
    : [SVG_COMMENT, SVG_REFERENCE]
  // Line breaks stay, since references have lines.
  const code = text.replace(comment, (hidden) => hidden.replace(/[^\n]+/g, ' '))
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

function lineBreaks(text: string): number {
  return text.split('\n').length - 1
}

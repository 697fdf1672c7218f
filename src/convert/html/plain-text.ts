const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}
const BLOCK = /<\/?(?:p|div|h[1-6]|li|tr|br|blockquote|pre|section|article|figure|figcaption)\b[^<>]*>/gi
/** Signs that begin something in Markdown. */
const SIGN = /[\\`*_[\]{}<>#|~^$:=&!]/g

/** The text of HTML without parsing it, as paragraphs of Markdown. */
export function plainTextOf(html: string): string {
  const paragraphs = html
    .replace(/<(script|style)\b(?:(?!<\/?\1\b)[\s\S])*<\/\1\s*>/gi, ' ')
    .replace(BLOCK, '\n\n')
    .replace(/<!--(?:(?!-->|<!--)[\s\S])*-->|<[^<>]*>/g, '')
    .split(/\n\s*\n/)
    .map((text) =>
      text
        .replace(/&(\w+);/g, (written, name: string) => ENTITIES[name] ?? written)
        .replace(/\s+/g, ' ')
        .trim()
        .replace(SIGN, '\\$&')
        .replace(/^(\d{1,9})([.)])(?=\s)/, '$1\\$2')
        .replace(/^([-+])(?=\s|$|-)/, '\\$1'),
    )
    .filter((text) => text !== '')
  return paragraphs.length === 0 ? '' : `${paragraphs.join('\n\n')}\n`
}

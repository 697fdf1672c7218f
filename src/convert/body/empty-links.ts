/** A placeholder for a stored text, as a pattern. */
const STORED = '\\0\\d+:\\d+\\0'
const TITLE = `(?:[ \\t]+(?:"[^"\\n]*"|'[^'\\n]*'))?`
const INLINE = new RegExp(
  `(?<!!)\\[((?:[^[\\]]|\\[[^[\\]]*\\])*)\\]\\(\\s*<?(${STORED})>?${TITLE}\\s*\\)`,
  'g',
)
const DEFINITION = new RegExp(
  `^[ \\t]*\\[(?!\\^)([^\\]\\n]+)\\]:[ \\t]*<?(${STORED})>?${TITLE}[ \\t]*$`,
  'gm',
)
const ATTRIBUTE = new RegExp(`(<a\\b[^<>]*?)\\shref=(["'])(${STORED})\\2`, 'g')
const REFERENCE = /(?<![!\]])\[((?:[^[\]]|\[[^[\]]*\])*)\](?:\[([^[\]\n]*)\])?(?![(:[])/g

/** The texts of a page without links to an omitted tag: such a link would lead to the page itself. */
export interface EmptyLinks {
  /** Replaces links by their texts, and removes definitions. */
  readonly unlink: (text: string) => string
  /** Replaces references to the removed definitions by their texts. */
  readonly unlinkReferences: (text: string) => string
}

/** @param isEmpty whether a placeholder stands for an empty text. */
export function createEmptyLinks(isEmpty: (placeholder: string) => boolean): EmptyLinks {
  const removed = new Set<string>()
  return {
    unlink: (text) =>
      text
        .replace(INLINE, (link, label: string, target: string) => (isEmpty(target) ? label : link))
        .replace(ATTRIBUTE, (tag, start: string, _quote, target: string) => (isEmpty(target) ? start : tag))
        .replace(DEFINITION, (line, label: string, target: string) => {
          if (!isEmpty(target)) return line
          removed.add(nameOf(label))
          return ''
        }),
    unlinkReferences: (text) =>
      removed.size === 0
        ? text
        : text.replace(REFERENCE, (link, label: string, name?: string) =>
            removed.has(nameOf(name || label)) ? label : link,
          ),
  }
}

function nameOf(label: string): string {
  return label.trim().toLowerCase().replace(/\s+/g, ' ')
}

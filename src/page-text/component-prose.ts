import { BUILT_IN_DIRECTIVES } from '../domain/component.ts'
import { type ComponentLine, readComponentLine } from './component-directive.ts'
import { mapOutsideFences } from './map-prose.ts'

const OPENING = /^[ \t>]*(:{3,})[ \t]*[a-z]/i
const CLOSING = /^[ \t>]*(:{3,})[ \t]*$/

/**
 * The Markdown without the lines of components: their labels, links, images and bodies as prose. Containers and lines
 * that are built in stay, and so does code. For readers without the theme, such as language models.
 */
export function componentsAsProse(markdown: string): string {
  if (!markdown.includes('::')) return markdown
  const replaced = new Map<number, string>()
  const open: { readonly colons: number; readonly line: number; readonly component: ComponentLine | null }[] =
    []
  mapLines(markdown, (text, line) => {
    const [, closing] = CLOSING.exec(text) ?? []
    if (closing !== undefined) close(closing.length, line)
    else if (text.includes('::')) readOpening(text, line)
    return text
  })
  if (replaced.size === 0) return markdown
  return mapLines(markdown, (text, line) => replaced.get(line) ?? text)

  function readOpening(text: string, line: number): void {
    const read = readComponentLine(text)
    const component = read === null || BUILT_IN_DIRECTIVES.has(read.component.name) ? null : read
    if (component?.colons === 2) {
      if (component.hasBraces || component.label !== '') replaced.set(line, proseOf(component, ''))
      return
    }
    const [, colons] = OPENING.exec(text) ?? []
    if (colons !== undefined) open.push({ colons: colons.length, line, component })
  }

  /** Closes the innermost container with as many colons, else the innermost with fewer. */
  function close(colons: number, line: number): void {
    const exact = open.findLastIndex((entry) => entry.colons === colons)
    const index = exact >= 0 ? exact : open.findLastIndex((entry) => entry.colons < colons)
    const closed = index === -1 ? undefined : open[index]
    if (closed === undefined) return
    open.length = index
    if (closed.component === null) return
    replaced.set(closed.line, proseOf(closed.component, '**'))
    replaced.set(line, '')
  }
}

/** @param strong what stands around a label above other text. */
function proseOf({ before, label, component: { attributes } }: ComponentLine, strong: string): string {
  const stated = new Map(attributes)
  const [href, src] = [stated.get('href') ?? '', stated.get('src') ?? stated.get('image') ?? '']
  const words = label.slice(1, -1).trim()
  const picture = src === '' ? '' : `![${stated.get('alt') ?? ''}](${target(src)})`
  const link = href === '' ? words : `[${words === '' ? href : words}](${target(href)})`
  const text = link === '' ? '' : `${strong}${link}${strong}`
  const lines = [picture, text].filter((part) => part !== '').join(' ')
  return lines === '' ? before.trimEnd() : `${before}${lines}${strong === '' ? '' : `\n${before.trimEnd()}`}`
}

function target(address: string): string {
  return /[\s()<>]/.test(address) ? `<${address}>` : address
}

/** Maps each line outside fenced code. @param change receives the line and its number, from 0. */
function mapLines(markdown: string, change: (text: string, line: number) => string): string {
  return mapOutsideFences(markdown, (text, first) =>
    text
      .split('\n')
      .map((line, index) => change(line, first + index))
      .join('\n'),
  )
}

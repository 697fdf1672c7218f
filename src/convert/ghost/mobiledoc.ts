import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { isJsonObject } from '../../domain/json.ts'
import { escapeHtml } from '../html/escape-html.ts'
import { cardHtml } from './card-html.ts'
import type { RenderedCards } from './lexical.ts'

type List = readonly JsonValue[]

/** Kinds of sections and markers. Source: https://github.com/bustle/mobiledoc-kit/blob/master/MOBILEDOC.md. */
const [MARKUP, IMAGE, LISTED, CARD] = [1, 2, 3, 10]
const TAG = /^(?:p|h[1-6]|blockquote|aside|pull-quote|a|b|strong|em|i|u|s|del|strike|code|sub|sup|mark)$/

/** The HTML of a text in the format of Ghost 1 to 4. */
export function mobiledocHtml(document: JsonObject): RenderedCards {
  const [markups, atoms, cards] = ['markups', 'atoms', 'cards'].map((name) => listIn(document[name]))
  const unknown: string[] = []
  return {
    html: listIn(document['sections'])
      .map((section) => sectionHtml(listIn(section)))
      .join('\n'),
    unknown,
  }

  function sectionHtml([kind, name, content]: List): string {
    if (kind === MARKUP) return wrapped(String(name), markersHtml(listIn(content)))
    if (kind === IMAGE) return `<figure><img src="${escapeHtml(String(name))}"></figure>`
    if (kind === LISTED) {
      const items = listIn(content).map((item) => `<li>${markersHtml(listIn(item))}</li>`)
      return `<${name === 'ol' ? 'ol' : 'ul'}>${items.join('')}</${name === 'ol' ? 'ol' : 'ul'}>`
    }
    return kind === CARD ? cardAt(Number(name)) : ''
  }

  function cardAt(index: number): string {
    const [name = '', payload = {}] = listIn(cards?.[index])
    const html = cardHtml(String(name), isJsonObject(payload) ? payload : {})
    if (html === null) unknown.push(String(name))
    return html ?? ''
  }

  function markersHtml(markers: List): string {
    const open: string[] = []
    const parts = markers.map((marker) => {
      const [kind, opened, closed, value] = listIn(marker)
      const tags = listIn(opened).map((index) => tagAt(Number(index)))
      open.push(...tags.map(({ name }) => name))
      const text = kind === 1 ? atomHtml(Number(value)) : escapeHtml(String(value ?? ''))
      const ends = open.splice(Math.max(0, open.length - Number(closed ?? 0))).toReversed()
      return `${tags.map(({ start }) => start).join('')}${text}${ends.map((name) => `</${name}>`).join('')}`
    })
    return parts.join('')
  }

  function tagAt(index: number): { readonly name: string; readonly start: string } {
    const [name = 'span', written = []] = listIn(markups?.[index])
    const tag = TAG.test(String(name)) ? String(name) : 'span'
    const list = listIn(written)
    const href = list[0] === 'href' ? ` href="${escapeHtml(String(list[1] ?? ''))}"` : ''
    return { name: tag, start: `<${tag}${href}>` }
  }

  function atomHtml(index: number): string {
    const [name, text] = listIn(atoms?.[index])
    return name === 'soft-return' ? '<br>' : escapeHtml(String(text ?? ''))
  }
}

function wrapped(name: string, inner: string): string {
  const tag = name === 'aside' || name === 'pull-quote' ? 'blockquote' : TAG.test(name) ? name : 'p'
  return `<${tag}>${inner}</${tag}>`
}

function listIn(value: JsonValue | undefined): List {
  return Array.isArray(value) ? value : []
}

import type { ElementContent } from 'hast'
import { container, fitsContainer, insideContainer, line } from './containers.ts'
import { attribute, element, first, hasClass, isElement, isVisible, lineOf } from './elements.ts'
import { captionBlock, captionOf } from './pictures.ts'
import type { Rewriter } from './rewrite.ts'

/* Cards of the editor of Ghost. Source: https://docs.ghost.org/themes/content. */

/** Kinds of containers by the colours of callouts. */
const KINDS: Readonly<Record<string, string>> = {
  'kg-callout-card-green': 'tip',
  'kg-callout-card-yellow': 'warning',
  'kg-callout-card-red': 'caution',
}

export const callouts: Rewriter = (node, scope, { rewriteAll }) => {
  if (!hasClass(node, 'kg-callout-card')) return null
  const emoji = first(node, '.kg-callout-emoji')
  const text = first(node, '.kg-callout-text') ?? node
  const title = emoji === null ? '' : lineOf(emoji)
  if (!fitsContainer(scope)) return [element('blockquote', {}, rewriteAll(node.children, scope))]
  const kind = Object.keys(KINDS).find((name) => hasClass(node, name)) ?? ''
  const label: readonly ElementContent[] = title === '' ? [] : [{ type: 'text', value: title }]
  return container(KINDS[kind] ?? 'note', label, rewriteAll(text.children, insideContainer(scope)))
}

/** A bookmark: a card that leads to a page of another site. */
export const bookmarks: Rewriter = (node, scope, { rewriteAll }) => {
  if (!hasClass(node, 'kg-bookmark-card')) return null
  const link = first(node, 'a')
  if (link === null) return null
  const parts = ['.kg-bookmark-title', '.kg-bookmark-description'].map((name) => first(node, name))
  const [title, description] = parts.map((part) => (part === null ? '' : lineOf(part)))
  const sources = ['.kg-bookmark-author', '.kg-bookmark-publisher'].flatMap((name) => first(node, name) ?? [])
  const source = sources.map(lineOf).join(' · ')
  const href = attribute(link, 'href')
  const thumbnail = first(node, '.kg-bookmark-thumbnail')
  const picture = thumbnail === null ? null : first(thumbnail, 'img')
  const caption = captionOf(node)
  const shown = caption === null ? [] : rewriteAll(caption.children, scope)
  const body = [
    ...(picture === null ? [] : [paragraph(picture)]),
    ...[description, source].flatMap((text) => (text ? [paragraph({ type: 'text', value: text })] : [])),
  ]
  const label: ElementContent = { type: 'text', value: title || href }
  const card = fitsContainer(scope)
    ? container('cards', [], [line('::card[', `]{href="${href.replaceAll('"', '%22')}"}`, [label]), ...body])
    : [paragraph(element('a', { href }, [label])), ...body]
  return shown.some(isVisible) ? [...card, captionBlock(shown)] : card
}

/** A text that folds, of Ghost and of HTML. */
export const toggles: Rewriter = (node, scope, { rewriteAll }) => {
  const isCard = hasClass(node, 'kg-toggle-card')
  if (!isCard && !isElement(node, 'details')) return null
  const heading = isCard
    ? first(node, '.kg-toggle-heading-text')
    : (node.children.find((child) => isElement(child, 'summary')) ?? null)
  const content = isCard ? (first(node, '.kg-toggle-content')?.children ?? []) : node.children
  const rest = content.filter((child) => child !== heading)
  const title = heading === null || !isElement(heading) ? '' : lineOf(heading)
  const label: ElementContent = { type: 'text', value: title || '…' }
  if (!fitsContainer(scope)) return [paragraph(element('strong', {}, [label])), ...rewriteAll(rest, scope)]
  return container('details', [label], rewriteAll(rest, insideContainer(scope)))
}

function paragraph(child: ElementContent): ElementContent {
  return element('p', {}, [child])
}

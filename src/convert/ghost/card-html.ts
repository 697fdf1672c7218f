import rehypeRaw from 'rehype-raw'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { listOf, objectOf, textOf } from '../config/config-values.ts'
import { escapeHtml } from '../html/escape-html.ts'

/*
 * Cards of the editor of Ghost as the HTML that Ghost makes of them. Both formats of its editor, Mobiledoc and Lexical,
 * have the same cards with names that differ a little.
 */

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(rehypeStringify)
  .freeze()

/** The HTML of a card. Null for a card of another name. @param name in small letters, without hyphens. */
export function cardHtml(name: string, card: JsonObject): string | null {
  const make =
    CARDS[
      name
        .replace(/^card-?/, '')
        .replace(/[-_]/g, '')
        .toLowerCase()
    ]
  return make === undefined ? null : make(card)
}

type Card = (card: JsonObject) => string

const attributes = (values: Readonly<Record<string, JsonValue | undefined>>) =>
  Object.entries(values)
    .flatMap(([name, value]) =>
      value === undefined || value === null || value === ''
        ? []
        : [` ${name}="${escapeHtml(String(value))}"`],
    )
    .join('')

const figure = (kind: string, inner: string, { caption }: JsonObject) =>
  `<figure class="kg-card kg-${kind}-card">${inner}${textOf(caption) === undefined ? '' : `<figcaption>${caption}</figcaption>`}</figure>`

const text = (value: JsonValue | undefined) => escapeHtml(textOf(value) ?? '')

const image = (card: JsonObject) => {
  const shown = `<img${attributes({ src: card['src'], alt: card['alt'] ?? card['altText'], title: card['title'], width: card['width'], height: card['height'] })}>`
  const href = textOf(card['href'])
  return figure('image', href === undefined ? shown : `<a${attributes({ href })}>${shown}</a>`, card)
}

const button: Card = (card) =>
  `<div class="kg-card kg-button-card"><a${attributes({ href: card['buttonUrl'] })}>${text(card['buttonText'])}</a></div>`

const bookmark: Card = (card) => {
  const { title, description, author, publisher, thumbnail } = { ...card, ...objectOf(card['metadata']) }
  const source = [
    textOf(author) === undefined ? '' : `<span class="kg-bookmark-author">${text(author)}</span>`,
    textOf(publisher) === undefined ? '' : `<span class="kg-bookmark-publisher">${text(publisher)}</span>`,
  ].join('')
  const picture =
    textOf(thumbnail) === undefined
      ? ''
      : `<div class="kg-bookmark-thumbnail"><img${attributes({ src: thumbnail })}></div>`
  return figure(
    'bookmark',
    `<a class="kg-bookmark-container"${attributes({ href: card['url'] })}><div class="kg-bookmark-title">${text(title)}</div><div class="kg-bookmark-description">${text(description)}</div>${source}${picture}</a>`,
    card,
  )
}

const CARDS: Readonly<Record<string, Card>> = {
  image,
  markdown: (card) => String(markdown.processSync(String(card['markdown'] ?? ''))),
  html: ({ html }) => String(html ?? ''),
  code: (card) =>
    figure(
      'code',
      `<pre><code${attributes({ class: textOf(card['language']) && `language-${card['language']}` })}>${escapeHtml(String(card['code'] ?? ''))}</code></pre>`,
      card,
    ),
  codeblock: (card) => CARDS['code']?.(card) ?? '',
  hr: () => '<hr>',
  horizontalrule: () => '<hr>',
  embed: (card) => {
    const html = String(card['html'] ?? '')
    const url = textOf(card['url'])
    const inner =
      /<(?:iframe|blockquote|img|a)\b/i.test(html) || url === undefined
        ? html
        : `<p><a${attributes({ href: url })}>${escapeHtml(url)}</a></p>`
    return figure('embed', inner, card)
  },
  bookmark,
  gallery: (card) =>
    `<figure class="kg-card kg-gallery-card">${listOf(card['images'])
      .map((each) => image(each))
      .join(
        '',
      )}${textOf(card['caption']) === undefined ? '' : `<figcaption>${card['caption']}</figcaption>`}</figure>`,
  callout: (card) =>
    `<div class="kg-card kg-callout-card kg-callout-card-${text(card['backgroundColor'] ?? 'grey')}"><div class="kg-callout-emoji">${text(card['calloutEmoji'])}</div><div class="kg-callout-text">${card['calloutText'] ?? ''}</div></div>`,
  toggle: (card) =>
    `<div class="kg-card kg-toggle-card"><h4 class="kg-toggle-heading-text">${card['heading'] ?? ''}</h4><div class="kg-toggle-content">${card['content'] ?? ''}</div></div>`,
  button,
  file: (card) =>
    `<p><a${attributes({ href: card['src'] })}>${text(card['fileTitle'] ?? card['fileName'])}</a> ${text(card['fileCaption'])}</p>`,
  audio: (card) =>
    `<div class="kg-card kg-audio-card"><audio${attributes({ src: card['src'] })}></audio><div class="kg-audio-title">${text(card['title'])}</div></div>`,
  video: (card) =>
    figure(
      'video',
      `<video${attributes({ src: card['src'], poster: card['customThumbnailSrc'] || card['thumbnailSrc'], loop: card['loop'] === true ? 'true' : undefined })}></video>`,
      card,
    ),
  product: (card) =>
    [
      textOf(card['productImageSrc']) === undefined
        ? ''
        : `<p><img${attributes({ src: card['productImageSrc'] })}></p>`,
      `<h4>${card['productTitle'] ?? ''}</h4>${card['productDescription'] ?? ''}`,
      card['productButtonEnabled'] === true
        ? `<p><a${attributes({ href: card['productUrl'] })}>${text(card['productButton'])}</a></p>`
        : '',
    ].join(''),
  header: (card) =>
    `<h2>${card['header'] ?? card['heading'] ?? ''}</h2><p>${card['subheader'] ?? card['subheading'] ?? ''}</p>${card['buttonEnabled'] === true ? button(card) : ''}`,
  calltoaction: (card) => `${card['textValue'] ?? ''}${card['showButton'] === true ? button(card) : ''}`,
  // Texts of mails and forms of members are no part of the page of a post.
  email: () => '',
  emailcta: () => '',
  signup: () => '<form></form>',
  paywall: () => '',
}

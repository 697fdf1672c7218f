import { mapOutsideFences } from '../../page-text/map-prose.ts'
import { boxKind, openingLine, tabLine } from '../body/box-kinds.ts'
import { mapEnclosed } from '../body/map-enclosed.ts'
import type { TagContext, TemplateTag } from '../conversion.ts'
import { LIQUID_TAGS } from '../liquid/tags.ts'

/* Tag plugins. Source: https://hexo.io/docs/tag-plugins, and https://theme-next.js.org/docs/tag-plugins/ for those of NexT. */

const CODE = {
  open: /\{%-?[ \t]*code(?:block)?\b[^%\n]*%\}/g,
  close: /\{%-?[ \t]*endcode(?:block)?[ \t]*-?%\}/g,
}
const QUOTE = {
  open: /\{%-?[ \t]*(?:block|pull)?quote\b[^%\n]*%\}/g,
  close: /\{%-?[ \t]*end(?:block|pull)?quote[ \t]*-?%\}/g,
}
/** The mark after which lists end an excerpt. */
const MORE = /^[ \t]*<!--[ \t]*more[^\n<>]*-->[ \t]*$/gim

/** Converts code and quotes in tags, and drops the mark of the excerpt. */
export function rewriteHexo(body: string): string {
  return mapOutsideFences(body, (text) => {
    const fenced = mapEnclosed(text, CODE.open, CODE.close, (_, inner, [open]) =>
      fencedCode(argumentsOf(open), inner),
    )
    const quoted = mapEnclosed(fenced, QUOTE.open, QUOTE.close, (_, inner, [open]) =>
      quote(argumentsOf(open), inner),
    )
    return quoted.replace(MORE, '')
  })
}

/** `[title] [lang:language] [url] [link text]`. Source: https://hexo.io/docs/tag-plugins#Code-Block. */
function fencedCode(words: readonly string[], inner: string): string {
  const language = words.find((word) => word.startsWith('lang:'))?.slice('lang:'.length) ?? ''
  const title = words.filter((word) => !/^\w+:(?!\/\/)/.test(word)).join(' ')
  const info = `${language === '' && title !== '' ? 'text' : language}${title === '' ? '' : ` title=${JSON.stringify(title)}`}`
  return `\`\`\`${info}\n${inner.replace(/^[ \t]*\n|\n[ \t]*$/g, '')}\n\`\`\``
}

/** `[author[, source]] [link] [source title]`. Source: https://hexo.io/docs/tag-plugins#Block-Quote. */
function quote(words: readonly string[], inner: string): string {
  const lines = inner.trim().split('\n')
  const link = words.find((word) => /^https?:\/\//.test(word))
  const about = words.filter((word) => word !== link).join(' ')
  const source = link === undefined ? about : `[${about === '' ? link : about}](${link})`
  return [...lines, ...(source === '' ? [] : ['', `— ${source}`])]
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

/** The words after the name of a tag; quoted ones may have blanks. */
function argumentsOf(tag: string): readonly string[] {
  const given = /^\{%-?\s*\w+\s*([\s\S]*?)-?%\}$/.exec(tag)?.[1] ?? ''
  return [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}

type Replace = TemplateTag['replace']

function tag(
  name: string,
  replace: (words: readonly string[], context: TagContext) => ReturnType<Replace>,
): TemplateTag {
  return {
    pattern: new RegExp(String.raw`\{%-?[ \t]*(?:${name})\b[^%\n]*%\}`, 'g'),
    replace: ([found], context) => replace(argumentsOf(found), context),
  }
}

export const HEXO_TAGS: readonly TemplateTag[] = [
  tag('asset_img', (words, { linkTo }) => picture(words, linkTo)),
  tag('img', (words, { linkTo }) => picture(words, linkTo)),
  tag('asset_path', ([name = ''], { linkTo }) => linkTo(name)),
  tag(
    'asset_link',
    ([name = '', ...title], { linkTo }) => `[${title.join(' ') || name}](${linkTo(name) ?? name})`,
  ),
  tag('post_link', ([name = '', ...title], { linkTo }) => {
    const target = postOf(name, linkTo)
    const text = title.filter((word) => !/^(true|false)$/.test(word)).join(' ')
    return target === null ? null : `[${text || name}](${target})`
  }),
  tag('post_path', ([name = ''], { linkTo }) => postOf(name, linkTo)),
  tag('link', ([text = '', url = '']) => (url === '' ? null : `[${text}](${url})`)),
  tag('youtube', ([id = '']) => videoLink(`https://youtu.be/${id}`)),
  tag('vimeo', ([id = '']) => videoLink(`https://vimeo.com/${id}`)),
  tag('gist', ([id = '']) => videoLink(`https://gist.github.com/${id}`)),
  tag('jsfiddle', ([id = '']) => videoLink(`https://jsfiddle.net/${id}/`)),
  tag('iframe', ([url = '']) => (/^https?:/.test(url) ? videoLink(url) : null)),
  tag('note', (words) => `\n${openingLine(boxKind(words[0] ?? 'note') ?? 'note', titleOf(words))}\n`),
  tag('tabs', () => '\n:::tabs\n'),
  tag('endnote|endtabs', () => '\n:::\n'),
  {
    pattern: /<!--[ \t]*tab\b([^\n]*?)-->/g,
    replace: ([, given = '']) => tabLine(given.replace(/@.*$/, '').trim() || 'Tab'),
  },
  { pattern: /<!--[ \t]*endtab[ \t]*-->/g, replace: () => '' },
  ...LIQUID_TAGS,
]

function titleOf(words: readonly string[]): string | undefined {
  const title = (boxKind(words[0] ?? '') === null ? words : words.slice(1)).filter(
    (word) => word !== 'no-icon',
  )
  return title.length === 0 ? undefined : title.join(' ')
}

/** `[class names] /path/to/image [width] [height] ["title text" ["alt text"]]`. */
function picture(words: readonly string[], linkTo: TagContext['linkTo']): string | null {
  const at = words.findIndex((word) => /\.\w+(\?.*)?$/.test(word))
  const src = words[at]
  if (src === undefined) return null
  const texts = words.slice(at + 1).filter((word) => !/^\d+%?$/.test(word))
  const [title = '', alt = title] =
    texts.length > 1 && texts.some((text) => /\s/.test(text)) ? texts : [texts.join(' ')]
  const shown = title === '' || title === alt ? '' : ` ${JSON.stringify(title)}`
  return `![${alt}](${linkTo(src) ?? src}${shown})`
}

function postOf(name: string, linkTo: TagContext['linkTo']): string | null {
  return linkTo(`/_posts/${name}`) ?? linkTo(`/_posts/${name}.md`)
}

function videoLink(url: string): string {
  return `[${url}](${url})`
}

import { Decoration } from '@codemirror/view'
import { decorateTable } from './tables.js'
import { BULLET, Picture, TaskBox } from './widgets.js'

const BULLET_MARK = Decoration.replace({ widget: BULLET })
const NUMBER_MARK = Decoration.mark({ class: 'md-number' })
/** Marks that are hidden outside the lines of the caret. */
const MARKS = new Set(['EmphasisMark', 'StrikethroughMark', 'HeaderMark', 'QuoteMark'])
const ALERT = /^[\s>]*\[!(\w+)\]/
const ALERT_TONES = { info: 'note', danger: 'caution' }

/**
 * Decorates the nodes of the syntax tree that a range shows. `page` collects: `hide`, `replace`, `mark`, `line` and
 * `indent`, and knows the lines of the caret.
 *
 * @returns {{ enter: (node) => void, leave: (node) => void }}
 */
export function nodeDecorator(page, { from: start, to: end }) {
  let depth = 0
  const { doc } = page.state

  const blocks = {
    FencedCode: code,
    CodeBlock: ({ from, to }) => eachLine(from, to, (at) => page.line(at, 'md-pre')),
    HTMLBlock: ({ from, to }) => eachLine(from, to, (at) => page.line(at, 'md-html')),
    CommentBlock: ({ from, to }) => eachLine(from, to, (at) => page.line(at, 'md-html')),
    Blockquote: quote,
    ListItem: item,
    Table: table,
    HorizontalRule: rule,
    Link: link,
    Image: image,
    InlineCode: ({ node, from, to }) => {
      if (page.isActive(from, to)) return
      for (const mark of node.getChildren('CodeMark')) page.hide(mark.from, mark.to)
    },
  }

  return {
    enter(node) {
      const { name } = node
      if (name === 'BulletList' || name === 'OrderedList') depth += 1
      else if (/^(ATX|Setext)Heading/.test(name))
        eachLine(node.from, node.to, (at) => page.line(at, `md-h${Math.min(4, Number(name.at(-1)))}`))
      else if (MARKS.has(name)) hideMark(node)
      else blocks[name]?.(node)
    },
    leave({ name }) {
      if (name === 'BulletList' || name === 'OrderedList') depth -= 1
    },
  }

  /** Calls for the lines of a block that are shown. */
  function eachLine(from, to, call) {
    const last = Math.min(to, end)
    for (let line = doc.lineAt(Math.max(from, start)); ; line = doc.line(line.number + 1)) {
      call(line.from, line)
      if (line.to >= last) return
    }
  }

  function hideMark({ name, from, to }) {
    if (page.isActive(from, to)) return
    const hasSpace = /^(Header|Quote)Mark$/.test(name) && /[ \t]/.test(doc.sliceString(to, to + 1))
    const isClosing = name === 'HeaderMark' && /\S/.test(doc.sliceString(doc.lineAt(from).from, from))
    if (isClosing) page.hide(from - (doc.sliceString(from - 1, from) === ' ' ? 1 : 0), to)
    else page.hide(from, hasSpace ? to + 1 : to)
  }

  function code({ node, from, to }) {
    const isActive = page.isActive(from, to)
    const marks = node.getChildren('CodeMark')
    const isNamed = node.getChild('CodeInfo') !== null
    const closing = marks.length > 1 ? marks.at(-1).from : -1
    eachLine(from, to, (at, line) => {
      const isFirst = from >= line.from && from <= line.to
      const isLast = closing >= line.from && closing <= line.to
      page.line(at, `md-pre${isFirst ? ' md-pre-start' : ''}${isLast ? ' md-pre-end' : ''}`)
      if (!isActive && (isLast || (isFirst && !isNamed))) page.line(at, 'is-hidden')
    })
    if (!isActive) for (const mark of marks) page.hide(mark.from, mark.to)
  }

  function quote({ from, to }) {
    const [, kind = null] = ALERT.exec(doc.lineAt(from).text) ?? []
    const tone = kind?.toLowerCase()
    const classes = tone ? `md-in-callout md-tone-${ALERT_TONES[tone] ?? tone}` : 'md-quoted'
    eachLine(from, to, (at) => page.line(at, classes))
  }

  function item({ node, from, to }) {
    const mark = node.firstChild
    const line = doc.lineAt(from)
    if (mark?.name !== 'ListMark' || !/[ \t]/.test(doc.sliceString(mark.to, mark.to + 1))) return
    const text = mark.to + 1
    const column = text - line.from
    eachLine(from, to, (at, { from: lineFrom, text: lineText }) => {
      page.line(at, `md-item md-level-${Math.min(depth, 6)}`)
      const spaces = /^[ \t]*/.exec(lineText)[0].length
      page.indent(lineFrom, lineFrom === line.from ? from - line.from : Math.min(spaces, column))
    })
    const box = node.getChild('Task')?.firstChild
    if (from < start || from > end) return
    if (box?.name === 'TaskMarker') {
      const isDone = /x/i.test(doc.sliceString(box.from, box.to))
      if (isDone) page.line(line.from, 'md-done')
      const after = doc.sliceString(box.to, box.to + 1) === ' ' ? box.to + 1 : box.to
      page.replace(from, after, Decoration.replace({ widget: new TaskBox(isDone, page.words.task) }))
    } else if (node.parent?.name === 'BulletList') page.replace(from, text, BULLET_MARK)
    else page.mark(from, text, NUMBER_MARK)
  }

  function table({ node, from, to }) {
    decorateTable(page, node, (call) => eachLine(from, to, (_, line) => call(line)))
  }

  function rule({ from, to }) {
    const { from: at } = doc.lineAt(from)
    if (page.isActive(from, to)) return page.line(at, 'md-rule')
    page.line(at, 'md-rule is-hidden')
    page.hide(from, to)
  }

  /** A link with an address: its text alone. Other brackets may be plain text. */
  function link({ node, from, to }) {
    const url = node.getChild('URL')
    const close = node.getChildren('LinkMark')[1]
    if (url === null || close === undefined || page.isActive(from, to)) return
    page.hide(from, from + 1)
    page.hide(close.from, to)
  }

  function image({ node, from, to }) {
    const url = node.getChild('URL')
    const line = doc.lineAt(to)
    if (url === null || from < line.from) return
    const close = node.getChildren('LinkMark')[1]
    const alt = doc.sliceString(from + 2, close?.from ?? from + 2).replace(/\|\d+x\d+$/, '')
    const address = doc.sliceString(url.from, url.to).replace(/^<|>$/g, '')
    const isAlone = line.text.trim().length === to - from
    if (isAlone && !page.isActive(from, to)) {
      page.hide(from, to)
      page.line(line.from, 'md-figure')
    }
    const widget = new Picture({ address, alt, find: page.find })
    page.mark(line.to, line.to, Decoration.widget({ widget, side: 1 }))
  }
}

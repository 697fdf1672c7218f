import { syntaxTree } from '@codemirror/language'
import { Prec } from '@codemirror/state'
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view'
import { containers, toneOf } from './containers.js'
import { nodeDecorator } from './decorate-nodes.js'

const HIDDEN = Decoration.replace({})

/**
 * Shows Markdown as the page will be, over its source: marks are hidden outside the lines of the caret. Only the lines on
 * the screen are decorated, from the syntax tree that is there, so a key press costs the same in every text.
 *
 * @param {{ words: object, find: (address: string) => Promise<string | null> }} options
 */
export function richText(options) {
  const plugin = ViewPlugin.fromClass(
    class {
      isPressed = false
      constructor(view) {
        this.draw(view)
      }
      update(update) {
        const { docChanged, viewportChanged, selectionSet, focusChanged, view } = update
        const isParsed = syntaxTree(update.state) !== this.tree
        // Marks that appear under the pointer would move the text that is selected with it.
        const isMoved = (selectionSet || focusChanged) && !this.isPressed
        if (docChanged || viewportChanged || isParsed || isMoved) this.draw(view)
      }
      draw(view) {
        this.tree = syntaxTree(view.state)
        Object.assign(this, decorate(view, options))
      }
    },
    {
      decorations: (drawn) => drawn.decorations,
      provide: (of) => EditorView.atomicRanges.of((view) => view.plugin(of)?.atomic ?? Decoration.none),
      eventHandlers: {
        mousedown(_, view) {
          this.isPressed = true
          const release = () => {
            this.isPressed = false
            view.dispatch({ selection: view.state.selection })
          }
          document.addEventListener('mouseup', () => setTimeout(release), { once: true })
        },
      },
    },
  )
  // Boxes such as cells go around the styles of the words in them.
  return [containers, Prec.lowest(plugin)]
}

function decorate(view, options) {
  const { state, visibleRanges } = view
  const [ranges, atomic, indents] = [[], [], new Map()]
  const page = {
    state,
    ...options,
    isActive: activeLines(view),
    hide: (from, to) => ranges.push(HIDDEN.range(from, to)),
    mark: (from, to, decoration) => ranges.push(decoration.range(from, to)),
    replace(from, to, decoration) {
      ranges.push(decoration.range(from, to))
      atomic.push(decoration.range(from, to))
    },
    line: (at, classes) => ranges.push(Decoration.line({ class: classes }).range(at)),
    indent: (at, length) => indents.set(at, Math.max(length, indents.get(at) ?? 0)),
  }
  const tree = syntaxTree(state)
  for (const range of visibleRanges) {
    tree.iterate({ ...range, ...nodeDecorator(page, range) })
    decorateContainers(page, range, tree)
  }
  for (const [at, length] of indents) if (length > 0) page.replace(at, at + length, HIDDEN)
  return { decorations: Decoration.set(ranges, true), atomic: Decoration.set(atomic, true) }
}

/** Reports whether the caret or a selection is in the lines of a range. Without the focus it is in none. */
function activeLines({ state, hasFocus }) {
  if (!hasFocus) return () => false
  const lines = state.selection.ranges.map(({ from, to }) => [
    state.doc.lineAt(from).from,
    state.doc.lineAt(to).to,
  ])
  return (from, to) => lines.some(([first, last]) => from <= last && to >= first)
}

/** Boxes such as `:::note`, and lines for videos and pages of other sites. */
function decorateContainers(page, { from, to }, tree) {
  const { doc } = page.state
  for (const one of page.state.field(containers)) {
    if (one.to < from || one.from > to) continue
    const tone = toneOf(one.kind)
    const last = Math.min(one.to, to)
    for (let line = doc.lineAt(Math.max(one.from, from)); ; line = doc.line(line.number + 1)) {
      const isStart = line.from === one.from
      const isEnd = one.isClosed && line.to === one.to
      page.line(
        line.from,
        `md-in-callout md-tone-${tone}${isStart ? ' md-callout-start' : ''}${isEnd ? ' md-callout-end' : ''}`,
      )
      if (isStart || isEnd) hideFence(page, line, isEnd)
      if (line.to >= last) break
    }
  }
  for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
    if (/^::[a-z]/.test(line.text) && tree.resolveInner(line.from, 1).name !== 'CodeText')
      page.line(line.from, 'md-embed')
    if (line.to >= to) break
  }
}

function hideFence(page, line, isEnd) {
  const [mark] = /^\s*:{3,}[ \t]*/.exec(line.text) ?? ['']
  if (page.isActive(line.from, line.to)) return
  if (isEnd) page.line(line.from, 'is-hidden')
  const [name] = /^[\w-]*[ \t]*/.exec(line.text.slice(mark.length)) ?? ['']
  const start = line.from + mark.length
  // The title of a box stands for its kind, which its colour shows.
  const isTitled = line.to > start + name.length
  page.hide(line.from, isTitled ? start + name.length : start)
  if (name !== '' && !isTitled) page.mark(start, line.to, Decoration.mark({ class: 'md-name' }))
}

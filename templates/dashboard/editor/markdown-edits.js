import GithubSlugger from 'github-slugger'

/** A command that puts marks around the selection, or takes them away. @param {string} mark */
export function toggleWrap(mark) {
  return (view) => {
    const { from, to } = view.state.selection.main
    const { doc } = view.state
    const [before, after] = [doc.sliceString(from - mark.length, from), doc.sliceString(to, to + mark.length)]
    if (before === mark && after === mark)
      view.dispatch({
        changes: [
          { from: from - mark.length, to: from },
          { from: to, to: to + mark.length },
        ],
      })
    else
      view.dispatch({
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        selection: { anchor: from + mark.length, head: to + mark.length },
      })
    return true
  }
}

/** Puts a prefix before each selected line, or takes it away. @param {string} prefix */
export function togglePrefix(view, prefix) {
  const { doc, selection } = view.state
  const [first, last] = [doc.lineAt(selection.main.from), doc.lineAt(selection.main.to)]
  const lines = []
  for (let number = first.number; number <= last.number; number++) lines.push(doc.line(number))
  const isSet = lines.every(({ text }) => text.startsWith(prefix))
  view.dispatch({
    changes: lines.map(({ from, text }) =>
      isSet
        ? { from, to: from + prefix.length }
        : { from, to: from + (/^(#{1,6} |[-*] |> )?/.exec(text)?.[0].length ?? 0), insert: prefix },
    ),
  })
}

/** Puts a link in place of the selection, whose text it keeps. */
export function insertLink(view, { title, path }) {
  const { from, to } = view.state.selection.main
  const text = view.state.doc.sliceString(from, to) || title
  const insert = `[${text.replaceAll(/[[\]\\]/g, '\\$&')}](${path})`
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } })
  view.focus()
}

/**
 * Where a paragraph of its own goes next to a position. Without a blank line before it, it would continue the paragraph or
 * the list above.
 */
export function paragraphAt(doc, at) {
  const line = doc.lineAt(at)
  const isBlank = (number) => number < 1 || number > doc.lines || doc.line(number).text.trim() === ''
  const { number } = line
  const next = isBlank(number + 1) ? '' : '\n'
  const end = number === doc.lines ? '\n' : ''
  if (isBlank(number))
    return { from: line.from, to: line.to, before: isBlank(number - 1) ? '' : '\n', after: next + end }
  if (at === line.from) return { from: at, to: at, before: isBlank(number - 1) ? '' : '\n', after: '\n\n' }
  return { from: line.to, to: line.to, before: '\n\n', after: next + end }
}

/** Puts a picture of the library at the cursor. */
export function insertPicture(view, { title, path }) {
  const { from, to } = view.state.selection.main
  const insert = `![${title.replaceAll(/[[\]\\]/g, '\\$&')}](${path})`
  view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } })
  view.focus()
}

/** The id of the last heading before the cursor, where the preview scrolls to; empty when there is none. */
export function headingBefore(view) {
  const { doc, selection } = view.state
  const slugger = new GithubSlugger()
  const last = doc.lineAt(selection.main.head).number
  let id = ''
  let isCode = false
  for (let number = 1; number <= last; number++) {
    const { text } = doc.line(number)
    if (/^ {0,3}(```|~~~)/.test(text)) isCode = !isCode
    const [, title] = isCode ? [] : (/^ {0,3}#{1,6}\s+(.*?)\s*#*$/.exec(text) ?? [])
    if (title !== undefined) id = slugger.slug(title.replaceAll(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, '$1'))
  }
  return id
}

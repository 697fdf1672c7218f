import { paragraphAt } from './markdown-edits.js'

let count = 0

/**
 * Uploads files into the library and writes each into the text: a picture as a paragraph of its own, another file as a
 * link where it was dropped.
 *
 * @param {number | null} at where in the text; null for the cursor.
 * @returns {boolean} whether there are files, which the browser must not handle itself then.
 */
export function uploadFiles(view, files, at, { form, words, say }) {
  const list = [...(files ?? [])]
  const target = form.dataset.media
  if (list.length === 0 || target === undefined) return false
  let position = at ?? view.state.selection.main.from
  for (const file of list) void upload(file)
  return true

  async function upload(file) {
    const mark = `![${words.uploading} ${++count}]()`
    const { from, to, before, after } = isPicture(file)
      ? paragraphAt(view.state.doc, position)
      : { from: position, to: position, before: '', after: '' }
    position = from + before.length + mark.length
    view.dispatch({
      changes: { from, to, insert: before + mark + after },
      selection: { anchor: position + after.length },
    })
    const body = new FormData()
    body.append('file', file)
    try {
      const answer = await fetch(target, { method: 'POST', headers: { Accept: 'application/json' }, body })
      const { name, message } = await answer.json().catch(() => ({ message: words.refused }))
      const text = file.name.replace(/\.[^.]*$/, '').replaceAll(/[[\]\\]/g, '')
      const bang = isPicture(file) ? '!' : ''
      if (!answer.ok) say(message, true)
      replace(mark, answer.ok ? `${bang}[${text}](/media/${encodeURI(name)})` : '')
    } catch {
      say(words.offline, true)
      replace(mark, '')
    }
  }

  /** The text may have changed meanwhile. */
  function replace(mark, insert) {
    const from = view.state.doc.toString().indexOf(mark)
    if (from !== -1) view.dispatch({ changes: { from, to: from + mark.length, insert } })
  }
}

function isPicture({ type }) {
  return type.startsWith('image/')
}

let count = 0

/**
 * Uploads files into the library and writes each into the text: a picture as a picture, another file as a link.
 *
 * @returns {boolean} whether there are files, which the browser must not handle itself then.
 */
export function uploadFiles(view, files, at, { form, words, say }) {
  const list = [...(files ?? [])]
  const target = form.dataset.media
  if (list.length === 0 || target === undefined) return false
  for (const file of list) void upload(file)
  return true

  async function upload(file) {
    const mark = `![${words.uploading} ${++count}]()`
    const from = at ?? view.state.selection.main.from
    view.dispatch({ changes: { from, insert: `${mark}\n` }, selection: { anchor: from + mark.length + 1 } })
    const body = new FormData()
    body.append('file', file)
    try {
      const answer = await fetch(target, { method: 'POST', headers: { Accept: 'application/json' }, body })
      const { name, message } = await answer.json().catch(() => ({ message: words.refused }))
      const text = file.name.replace(/\.[^.]*$/, '').replaceAll(/[[\]\\]/g, '')
      const bang = file.type.startsWith('image/') ? '!' : ''
      if (!answer.ok) say(message)
      replace(mark, answer.ok ? `${bang}[${text}](/media/${encodeURI(name)})` : '')
    } catch {
      say(words.offline)
      replace(mark, '')
    }
  }

  /** The text may have changed meanwhile. */
  function replace(mark, insert) {
    const from = view.state.doc.toString().indexOf(mark)
    if (from !== -1) view.dispatch({ changes: { from, to: from + mark.length, insert } })
  }
}

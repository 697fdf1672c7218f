import { isInCode } from '../in-code.js'
import { htmlToMarkdown } from './html-to-markdown.js'
import { tabsToTable } from './table-markdown.js'

const URL_ALONE = /^https?:\/\/\S+$/
const YOUTUBE =
  /^https:\/\/(?:(?:www\.|m\.)?youtube\.com\/(?:watch\?(?:.*&)?v=|shorts\/|live\/)|youtu\.be\/)([\w-]{11})(?:[?&#]|$)/
const VIMEO = /^https:\/\/(?:www\.)?vimeo\.com\/(\d+)(?:[?#/]|$)/
/** Formats that elements or styles say; other HTML, such as that of an editor of code, is pasted as its text. */
const FORMATTED =
  /<(h[1-6]|ul|ol|li|table|a\s|b\b|strong|i\b|em\b|img|blockquote|pre|code|del|s\b)|font-weight:\s*(bold|[6-9]00)|font-style:\s*italic|mso-list/i

/**
 * Pastes what other programs copied as Markdown. In code, and with Shift, it stays plain text.
 *
 * @returns {boolean} whether it was pasted; otherwise the editor pastes the text.
 */
export function pasteFormatted(view, clipboard) {
  if (clipboard === null || isInCode(view.state, view.state.selection.main.from)) return false
  const insert = markdownOf(view.state, clipboard)
  if (insert === null) return false
  view.dispatch(view.state.replaceSelection(insert), { userEvent: 'input.paste', scrollIntoView: true })
  return true
}

function markdownOf({ doc, selection }, clipboard) {
  const { from, to, empty } = selection.main
  const text = clipboard.getData('text/plain')
  const address = text.trim()
  if (URL_ALONE.test(address)) {
    const selected = doc.sliceString(from, to)
    if (!empty)
      return selected.includes('\n') || URL_ALONE.test(selected) ? null : `[${selected}](${address})`
    return doc.lineAt(from).text.trim() === '' ? player(address) : null
  }
  const html = clipboard.getData('text/html')
  const isOfEditor = clipboard.types.includes('vscode-editor-data')
  const markdown = FORMATTED.test(html) && !isOfEditor ? htmlToMarkdown(html) : ''
  return markdown === '' ? tabsToTable(text) : markdown
}

/** The line that shows a video; null for another address. */
function player(address) {
  const [, video] = YOUTUBE.exec(address) ?? []
  if (video !== undefined) return `::youtube[${video}]`
  const [, film] = VIMEO.exec(address) ?? []
  return film === undefined ? null : `::vimeo[${film}]`
}

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { forceParsing } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { createFindBar } from './find-bar.js'
import { createKeysDialog } from './keys-dialog.js'
import { LIST_KEYS } from './list-keys.js'
import { markdownLanguage } from './markdown-language.js'
import { headingBefore, insertLink, insertPicture, toggleWrap } from './markdown-edits.js'
import { pasteFormatted } from './paste/paste.js'
import { pictureFinder } from './rich/find-picture.js'
import { createSearchDialog } from './search-dialog.js'
import { slashMenu } from './slash-menu.js'
import { createSourceMode } from './source-mode.js'
import { openTools } from './tools.js'
import { uploadFiles } from './upload.js'
import { createWordCount } from './word-count.js'

/** Characters that a tall screen shows, and how long the page waits for their syntax at most, in ms. */
const FIRST_SCREEN = 6_000
const MOST_WAIT = 500

/** Puts the editor in the place of the text area. @returns {() => void} that moves the focus to the text. */
export function openTextEditor({ form, field, words, preview, autosave, onChange }) {
  const label = document.querySelector(`label[for="${field.id}"]`)
  if (label !== null) label.id = `${field.id}-label`
  const links = createSearchDialog('links', {
    source: form.dataset.find,
    extra: (typed) => (/^(https?:\/\/|mailto:|\/|#)/.test(typed) ? [{ title: typed, path: typed }] : []),
    choose: (page) => insertLink(view, page),
  })
  const pictures = createSearchDialog('pictures', {
    source: form.dataset.pictures,
    choose: (picture) => insertPicture(view, picture),
  })
  const upload = (files, at) => uploadFiles(view, files, at, { form, words, say: autosave.say })
  const source = createSourceMode({ words, find: pictureFinder(form.dataset.pictures) })
  const keys = createKeysDialog()
  const findBar = createFindBar(words)
  const count = createWordCount(words)
  const menu = slashMenu({ words, openPictures: pictures.open })
  const view = new EditorView({
    state: EditorState.create({
      doc: field.value,
      extensions: [
        history(),
        menu.extension,
        findBar.extension,
        keymap.of([
          { key: 'Mod-b', run: toggleWrap('**') },
          { key: 'Mod-i', run: toggleWrap('_') },
          { key: 'Mod-k', run: () => links.open() },
          { key: 'Mod-f', run: findBar.open },
          ...LIST_KEYS,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        markdownLanguage,
        source.extension,
        EditorView.lineWrapping,
        placeholder(words.begin),
        EditorView.cspNonce.of(document.querySelector('script[nonce]')?.nonce ?? ''),
        EditorView.contentAttributes.of({
          'aria-labelledby': `${field.id}-label`,
          'aria-describedby': field.getAttribute('aria-describedby') ?? '',
          spellcheck: 'true',
          autocapitalize: 'sentences',
          ...(field.lang !== '' && { lang: field.lang }),
        }),
        EditorView.updateListener.of((update) => {
          if (update.selectionSet || update.docChanged) preview.follow(() => headingBefore(view))
          if (!update.docChanged) return
          count.request(update.state.doc)
          onChange()
        }),
        EditorView.domEventHandlers({
          paste: ({ clipboardData }) =>
            pasteFormatted(view, clipboardData) || upload(clipboardData?.files, null),
          drop: (event) =>
            upload(event.dataTransfer?.files, view.posAtCoords({ x: event.clientX, y: event.clientY })),
        }),
        EditorView.scrollMargins.of(() => ({ top: 64, bottom: 80 })),
      ],
    }),
  })
  // Read when the form is sent, so that a press of a key costs no copy of the text.
  form.addEventListener('formdata', ({ formData }) => formData.set(field.name, view.state.doc.toString()))
  // Headings and lists have heights of their own: their syntax is known before the text is shown, so that nothing moves.
  forceParsing(view, Math.min(FIRST_SCREEN, view.state.doc.length), MOST_WAIT)
  field.hidden = true
  field.required = false
  field.after(view.dom)
  count.show(view.state.doc)
  openTools(view, { links, pictures, upload, source, keys, menu })
  source.mark()
  return () => view.focus()
}

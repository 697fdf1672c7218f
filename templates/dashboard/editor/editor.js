import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { GFM, parser } from '@lezer/markdown'
import { startAutosave } from './autosave.js'
import { useLocalTime } from './local-time.js'
import { headingBefore, insertLink, insertPicture, togglePrefix, toggleWrap } from './markdown-edits.js'
import { startPreview } from './preview.js'
import { createSearchDialog } from './search-dialog.js'
import { uploadFiles } from './upload.js'

/*
 * The live editor of a page. The text area stays the field of the form: without this script, and if it fails, the page is
 * written in it.
 */

const MARKDOWN = new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown')

/** Classes in place of inline styles; the style sheet of the dashboard has the colours. */
const HIGHLIGHTS = HighlightStyle.define([
  { tag: tags.heading, class: 'md-heading' },
  { tag: tags.strong, class: 'md-strong' },
  { tag: tags.emphasis, class: 'md-emphasis' },
  { tag: tags.strikethrough, class: 'md-strike' },
  { tag: [tags.link, tags.url], class: 'md-link' },
  { tag: tags.monospace, class: 'md-code' },
  { tag: tags.quote, class: 'md-quote' },
  { tag: [tags.processingInstruction, tags.contentSeparator], class: 'md-mark' },
])

const form = document.querySelector('form[data-live]')
const field = form?.querySelector('textarea[name="markdown_content"]')
useLocalTime()
if (form instanceof HTMLFormElement) openForm(form, field instanceof HTMLTextAreaElement ? field : null)

/** @param {HTMLFormElement} form @param {HTMLTextAreaElement | null} field absent where a page has sections alone. */
function openForm(form, field) {
  const words = JSON.parse(form.dataset.words ?? '{}')
  const preview = startPreview(form)
  const autosave = startAutosave(form, words)
  const onChange = () => {
    preview.request()
    autosave.request()
  }
  form.addEventListener('input', onChange)
  if (field !== null) openEditor({ form, field, words, preview, autosave, onChange })
}

function openEditor({ form, field, words, preview, autosave, onChange }) {
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
  const view = new EditorView({
    state: EditorState.create({
      doc: field.value,
      extensions: [
        history(),
        keymap.of([
          { key: 'Mod-b', run: toggleWrap('**') },
          { key: 'Mod-i', run: toggleWrap('_') },
          { key: 'Mod-k', run: () => links.open() },
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        MARKDOWN,
        syntaxHighlighting(HIGHLIGHTS),
        EditorView.lineWrapping,
        EditorView.cspNonce.of(document.querySelector('script[nonce]')?.nonce ?? ''),
        EditorView.contentAttributes.of({
          'aria-labelledby': `${field.id}-label`,
          'aria-describedby': field.getAttribute('aria-describedby') ?? '',
          spellcheck: 'true',
          autocapitalize: 'sentences',
        }),
        EditorView.updateListener.of((update) => {
          if (update.selectionSet || update.docChanged) preview.follow(() => headingBefore(view))
          if (update.docChanged) onChange()
        }),
        EditorView.domEventHandlers({
          paste: (event) => upload(event.clipboardData?.files, null),
          drop: (event) =>
            upload(event.dataTransfer?.files, view.posAtCoords({ x: event.clientX, y: event.clientY })),
        }),
      ],
    }),
  })
  // Read when the form is sent, so that a press of a key costs no copy of the text.
  form.addEventListener('formdata', ({ formData }) => formData.set(field.name, view.state.doc.toString()))
  field.hidden = true
  field.required = false
  field.after(view.dom)
  openTools(view, { links, pictures, upload })
}

/** The buttons above the text, which the page has hidden: without a script they do nothing. */
function openTools(view, { links, pictures, upload }) {
  const tools = document.querySelector('[data-tools]')
  if (!(tools instanceof HTMLElement)) return
  const picker = tools.querySelector('input[type=file]')
  const acts = {
    bold: () => toggleWrap('**')(view),
    italic: () => toggleWrap('_')(view),
    heading: () => togglePrefix(view, '## '),
    list: () => togglePrefix(view, '- '),
    quote: () => togglePrefix(view, '> '),
    link: () => links.open(),
    picture: () => pictures.open(),
  }
  tools.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('button[data-tool]') : null
    if (button === null) return
    acts[button.dataset.tool]?.()
    if (button.dataset.tool !== 'link' && button.dataset.tool !== 'picture') view.focus()
  })
  pictures.dialog?.querySelector('[data-upload]')?.addEventListener('click', () => picker?.click())
  picker?.addEventListener('change', () => {
    pictures.close()
    upload(picker.files, null)
    picker.value = ''
  })
  tools.hidden = false
}

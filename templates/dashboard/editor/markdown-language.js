import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from '@codemirror/language'
import { tags } from '@lezer/highlight'
import { GFM, parser } from '@lezer/markdown'

const MARKDOWN = new Language(defineLanguageFacet(), parser.configure(GFM), [], 'markdown')

/** Classes in place of inline styles; the style sheet of the dashboard has the colours. */
const HIGHLIGHTS = HighlightStyle.define([
  { tag: tags.heading, class: 'md-heading' },
  { tag: tags.strong, class: 'md-strong' },
  { tag: tags.emphasis, class: 'md-emphasis' },
  { tag: tags.strikethrough, class: 'md-strike' },
  { tag: [tags.link, tags.url], class: 'md-link' },
  { tag: tags.monospace, class: 'md-code' },
  { tag: tags.labelName, class: 'md-info' },
  { tag: tags.quote, class: 'md-quote' },
  { tag: [tags.processingInstruction, tags.contentSeparator], class: 'md-mark' },
])

/** Parses Markdown and gives its parts classes. */
export const markdownLanguage = [MARKDOWN, syntaxHighlighting(HIGHLIGHTS)]

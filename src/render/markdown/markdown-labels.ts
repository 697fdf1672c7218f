/**
 * Words that rendering adds to a page, in English. `themes/_shared/labels.json` has them in every language.
 */
export const ENGLISH_LABELS = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
  details: 'Details',
  tab: 'Tab {n}',
  table: 'Table {n}',
  taskDone: 'Completed task',
  taskOpen: 'Open task',
  footnotes: 'Footnotes',
  backToReference: 'Back to reference {n}',
  required: 'required',
  deprecated: 'deprecated',
  diagram: 'Diagram',
} as const

export type MarkdownLabels = Readonly<Record<keyof typeof ENGLISH_LABELS, string>>

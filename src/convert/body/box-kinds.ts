/** The container of Quoin for each kind of box of other generators. */
const KINDS: Readonly<Record<string, string>> = {
  note: 'note',
  seealso: 'note',
  info: 'info',
  todo: 'info',
  primary: 'info',
  secondary: 'note',
  default: 'note',
  neutral: 'note',
  abstract: 'note',
  summary: 'note',
  tldr: 'note',
  quote: 'note',
  cite: 'note',
  example: 'note',
  question: 'note',
  help: 'note',
  faq: 'note',
  tip: 'tip',
  hint: 'tip',
  success: 'tip',
  check: 'tip',
  done: 'tip',
  important: 'important',
  warning: 'warning',
  warn: 'warning',
  attention: 'warning',
  caution: 'caution',
  danger: 'danger',
  error: 'danger',
  bug: 'danger',
  failure: 'danger',
  fail: 'danger',
  missing: 'danger',
}

/** The container of Quoin for a kind of box. Null when the kind is unknown. */
export function boxKind(name: string): string | null {
  const kind = name.toLowerCase()
  return Object.hasOwn(KINDS, kind) ? (KINDS[kind] ?? null) : null
}

/** The first line of a container. */
export function openingLine(kind: string, title: string | undefined): string {
  const shown = title?.replace(/\s+/g, ' ').trim() ?? ''
  return shown === '' ? `:::${kind}` : `:::${kind} ${shown}`
}

/** The line that begins a tab. Brackets would end its name. */
export function tabLine(name: string): string {
  return `::tab[${name.replace(/[[\]]/g, '').replace(/\s+/g, ' ').trim() || 'Tab'}]`
}

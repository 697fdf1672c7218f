/** The little Markdown that descriptions are written in, as HTML: code, bold, paragraphs. */
export function inlineMarkdown(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
}

/** The same for several paragraphs, set apart by empty lines. */
export function paragraphs(text: string): readonly string[] {
  return text.split(/\n{2,}/).map(inlineMarkdown)
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

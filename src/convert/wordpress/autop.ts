/** Elements that are blocks of their own. */
const BLOCKS =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|menu|summary|iframe|script|video|audio'
const OPENING = new RegExp(`(<(?:${BLOCKS})(?=[\\s/>])[^<>]*>)`, 'gi')
const CLOSING = new RegExp(`(</(?:${BLOCKS})>)`, 'gi')
const BEGINS_BLOCK = new RegExp(`^</?(?:${BLOCKS})(?=[\\s/>])`, 'i')
/** Text in these begins a paragraph. */
const HOLDERS =
  /(<(?:blockquote|div|section|article)(?=[\s>])[^<>]*>|(?=<\/(?:blockquote|div|section|article)>))/gi
/** Text that keeps its lines. */
const VERBATIM = /<(pre|script|style|textarea)\b[^<>]*>(?:(?!<\/\1\s*>)[\s\S])*<\/\1\s*>/gi

/**
 * Texts of the classic editor: empty lines separate paragraphs, and a line break is one.
 * Source: `wpautop` of https://developer.wordpress.org/reference/functions/wpautop/.
 */
export function withParagraphs(text: string): string {
  const kept: string[] = []
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\uE000', '')
    .replace(VERBATIM, (found) => `\n\n<pre \uE000${kept.push(found) - 1}\uE000>\n\n`)
    .replace(OPENING, '\n\n$1')
    .replace(CLOSING, '$1\n\n')
    .replace(HOLDERS, '$1\n\n')
  const blocks = lines.split(/\n[^\S\n]*\n\s*/).map((block) => block.trim())
  const html = blocks
    .filter((block) => block !== '')
    .map((block) => (BEGINS_BLOCK.test(block) ? block : `<p>${block.replace(/\n/g, '<br>\n')}</p>`))
    .join('\n')
  return html.replace(/<pre \uE000(\d+)\uE000>/g, (_, index: string) => kept[Number(index)] ?? '')
}

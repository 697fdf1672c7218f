const TARGET = /(\]\()(<[^<>\n]*>|[^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)/g
const DEFINITION = /^( {0,3}\[[^\]\n]+\]:[ \t]*)(<[^<>\n]*>|\S+)/gm
const ATTRIBUTE = /(\s(?:href|src)=")([^"\n]*)/g

/** Maps the targets of links and images in Markdown. Unchanged targets keep their spelling. */
export function mapLinks(text: string, change: (target: string) => string): string {
  const changed = (match: string, before: string, target: string) => {
    const named = target.startsWith('<') ? target.slice(1, -1) : target
    const wanted = change(named)
    if (wanted === named) return match
    return before + (/[\s()<>]/.test(wanted) ? `<${wanted}>` : wanted)
  }
  const inline = text.includes('](') ? text.replace(TARGET, changed) : text
  const defined = inline.includes(']:') ? inline.replace(DEFINITION, changed) : inline
  return defined.replace(ATTRIBUTE, (_, before: string, target: string) => before + change(target))
}

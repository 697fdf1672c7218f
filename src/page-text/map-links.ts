const TARGET = /(\]\()(<[^<>\n]*>|[^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)/g
const DEFINITION = /^( {0,3}\[[^\]\n\r\u2028\u2029]+\]:[ \t]*)(<[^<>\n]*>|\S+)/gm
/** Attributes of HTML and of containers. */
const ATTRIBUTE = /([\s{](?:href|src|poster)=(["']))([^"'\n]*)(?=\2)/gi
/** The same of HTML without quotes. */
const UNQUOTED = /(<[a-z][^<>\n]{0,500}?\s(?:href|src|poster)=)([^\s"'<>=`]+)/gi
/** Often one on each line; an empty line would end the HTML. */
const SOURCES = /(\ssrcset=(["']))((?:[^"'\n]|\n(?!\s*\n))*)(?=\2)/gi
/** The attribute `captions` of `::video`: a file for each language. */
const CAPTIONS = /([\s{]captions=(["']))([^"'\n]*)(?=\2)/gi

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
  if (!/\b(?:href|src|poster|srcset|captions)=/i.test(defined)) return defined
  return defined
    .replace(UNQUOTED, (match, before: string, target: string) => {
      const wanted = change(target)
      // The Markdown parser reads no slash in a value without quotes.
      return wanted === target ? match : `${before}"${wanted}"`
    })
    .replace(ATTRIBUTE, (_, before: string, __, target: string) => before + change(target))
    .replace(SOURCES, (_, before: string, __, sources: string) => before + mapSources(sources, change))
    .replace(CAPTIONS, (_, before: string, __, files: string) => before + mapFiles(files, change))
}

/** Maps the URLs of `srcset`, which are separated by commas; a width or a density may follow each. */
function mapSources(sources: string, change: (target: string) => string): string {
  return sources
    .split(',')
    .map((source) => source.replace(/\S+/, change))
    .join(',')
}

/** Maps the files of `captions`, whose names may have blanks. */
function mapFiles(files: string, change: (target: string) => string): string {
  return files
    .split(',')
    .map((file) => file.replace(/\S(?:.*\S)?/, change))
    .join(',')
}

/** Hyphens with words on both sides and blanks on both or none. Not those of comments, tables, options and rules. */
const DASHES =
  /(?<=[\p{L}\p{N}*_)\]"'”’`.,?!\0])(-{2,3})(?=[\p{L}\p{N}*_([<"'“‘`\0])|(?<=\S[ \t])(-{2,3})(?=[ \t]\S)/gu
/** The address of a link or of the definition of one, an address in the text, or a tag. */
const ADDRESS = /(\]\((?:[^()\s]|\([^()\s]*\))*|^[ \t>]*\[[^\]]+\]:[ \t]*\S+|https?:\/\/[^\s<>()]+|<[^<>]*>)/
const TABLE_RULE = /^[ \t|:+-]+$/

/** Writes `--` and `---` in prose as the dashes that the source site shows for them. Code is never prose, and the ids of headings are made of their text. */
export function drawDashes(prose: string): string {
  if (!prose.includes('--')) return prose
  return prose
    .split('\n')
    .map((line) =>
      TABLE_RULE.test(line) || /^ {0,3}#|<!--/.test(line)
        ? line
        : line
            .split(ADDRESS)
            .map((part, index) => (index % 2 === 1 ? part : part.replace(DASHES, dashOf)))
            .join(''),
    )
    .join('\n')
}

function dashOf(marks: string): string {
  return marks.length === 3 ? '—' : '–'
}

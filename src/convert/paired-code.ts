import { breaksIn } from '../page-text/map-prose.ts'
import type { Report } from './conversion.ts'
import { quotedTag } from './quoted-tag.ts'

const HUGO_PAIR =
  /^([ \t]*)\{\{[<%]\s*([\w./-]+)([^{}\n]*)[>%]\}\}[ \t]*\n([\s\S]*?)\n?[ \t]*\{\{[<%]\s*\/\s*\2\s*[>%]\}\}/gm
const LIQUID_PAIR = /^([ \t]*)\{%-?\s*(\w+)([^%\n]*)-?%\}[ \t]*\n([\s\S]*?)\n?[ \t]*\{%-?\s*end\2\s*-?%\}/gm
/** Tags of Liquid and Nunjucks that contain the text of the page, and Hugo's tags for text and containers. */
const PROSE_TAGS =
  /^(if|unless|for|case|block|raw|verbatim|comment|highlight|tabs?|tabpane|details|expand|note|notice|tip|info|warning|danger|caution|important|alert|callout|admonition|hint)$/i
/** Names that themes give to shortcodes around code. */
const CODE_TAGS = /code|conf|term|console|shell|cmd|command|mermaid|diagram|json|yaml|toml|sql|snippet/i
const CODE_LINE =
  /^\s*(?:\[{1,2}[\w."-]+\]{1,2}|[\w."'-]+\s*[:=]\s*\S.*|[\w-]+:|[{}()[\];<$@].*|#!.*|---|.*[{};]|(?:const|let|var|function|import|export|def|class|return|echo|npm|curl|sudo|git)\s.*)$/
const SENTENCE = /(?:\p{L}[\p{L}'’-]*[ ,]+){5,}.*[.!?:]$/u

/** Puts code between the tags of unknown shortcodes into fences, since it would become prose. */
export function fenceHugoPairs(body: string, report: Report): string {
  return fencePairs(body, HUGO_PAIR, report)
}

/** As `fenceHugoPairs`, for blocks such as `{% set name %}…{% endset %}`. */
export function fenceLiquidPairs(body: string, report: Report): string {
  return fencePairs(body, LIQUID_PAIR, report)
}

function fencePairs(body: string, pair: RegExp, report: Report): string {
  return body.replace(
    pair,
    (whole: string, indent: string, name: string, given: string, code: string, at: number) => {
      if (PROSE_TAGS.test(name) || !isCode(name, code)) return whole
      const line = breaksIn(body.slice(0, at))
      report(line, 'QN-PARTLY-CONVERTED', `${quotedTag(whole)} is left out. The code inside of it stays.`)
      const file = /\b(?:file|filename|title)=["']?([\w./-]+\.\w+)/.exec(given)?.[1]
      const language = /\b(?:lang|language)=["']?([\w+#-]+)/.exec(given)?.[1] ?? file?.split('.').at(-1) ?? ''
      const title = file === undefined ? '' : ` title="${file}"`
      return `${indent}\`\`\`${language === '' && title !== '' ? 'text' : language}${title}\n${code}\n${indent}\`\`\``
    },
  )
}

function isCode(name: string, text: string): boolean {
  if (/`{3,}|~{3,}/.test(text) || text.trim() === '') return false
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const code = lines.filter((line) => CODE_LINE.test(line) && !SENTENCE.test(line)).length
  return CODE_TAGS.test(name) ? code > 0 : code / lines.length > 0.6
}

import type { JsonValue } from '../../domain/json.ts'
import { spanEnds } from '../../page-text/code-spans.ts'
import { lineCounter } from '../../page-text/line-counter.ts'
import { textsOfComponent } from '../body/component-links.ts'
import { quotedTag } from '../body/quoted-tag.ts'
import type { Report } from '../conversion.ts'
import { fieldText } from '../page/field-text.ts'
import { type Constants, readLiteral } from '../program/object-literal.ts'
import {
  type Component,
  codeOf,
  htmlAttribute,
  type Labels,
  type Markdown,
  replacementOf,
} from './components.ts'
import type { Run } from './fences.ts'
import { expressionEnd, expressionValue, type JsxTag, readJsxTag } from './jsx-tag.ts'

/** The imports and values of a page. */
export interface ElementContext {
  readonly report: Report
  readonly values: {
    /** The declarations that `constants` points into. */
    readonly text: string
    readonly constants: Constants
    /** The value of a path such as `frontMatter.title`. */
    readonly lookUp: (path: string) => JsonValue | undefined
  }
  /** The text of the file that was imported under a name. */
  readonly importedText: (name: string) => string | null
  readonly importedFile: (name: string) => string | null
  /** The converted text of the Markdown file that was imported under a name. */
  readonly include: (name: string) => string | null
}

/** Deeper elements are dropped, like unclosed ones: each tag searches all open elements. */
const MAX_OPEN = 200

interface Frame {
  readonly name: string
  readonly close: Markdown
  readonly labels: Labels | null
}

const NOTHING: Markdown = { inline: '' }
/** Stays as it is: a formula, an escaped character, a text that is set aside. */
const VERBATIM = /\$\$[^$]*\$\$|\$(?=\S)(?=[^$\n]*[\\{^_])[^$\n]*\$|\\[\s\S]|\0\d+:\d+\0/y
/** Elements whose content is no text of the page. */
const PROGRAM = /^(script|style|Head|Helmet|head)$/
const SPECIAL = /[`$<{\\\0]/g

/** Replaces the elements and expressions of JSX in prose. */
export function replaceElements(runs: readonly Run[], context: ElementContext): string {
  const frames: Frame[] = []
  return runs.map((run) => (run.isCode ? run.text : replaceIn(run, frames, context))).join('\n')
}

function replaceIn({ text, line: first }: Run, frames: Frame[], context: ElementContext): string {
  const { report } = context
  let result = ''
  let at = 0
  const lineOf = lineCounter(text)
  const lineAt = (index: number) => first + lineOf(index)
  const spans = spanEnds(text)
  const lastComment = text.lastIndexOf('-->')
  /** Names of programs that nothing ends from here on. */
  const unclosed = new Set<string>()
  const closeAfter = (name: string, from: number) => {
    const close = unclosed.has(name) ? -1 : text.indexOf(`</${name}>`, from)
    if (close === -1) unclosed.add(name)
    return close
  }
  for (;;) {
    SPECIAL.lastIndex = at
    const found = SPECIAL.exec(text)
    if (found === null) return result + text.slice(at)
    result += text.slice(at, found.index)
    at = found.index
    const verbatim = spans.get(at) ?? verbatimEnd(text, at, lastComment)
    if (verbatim !== null) {
      result += text.slice(at, verbatim)
      at = verbatim
      continue
    }
    if (found[0] === '{') {
      const end = text[at + 1] === '#' ? null : expressionEnd(text, at)
      if (end === null) result += text[at++]
      else {
        const value = expressionText(text, at, end, context)
        if (value === null)
          report(lineAt(at), 'QN-NOT-CONVERTED', `${quotedTag(text.slice(at, end))} is left out.`)
        result += value ?? ''
        at = end
      }
      continue
    }
    const tag = found[0] === '<' ? readJsxTag(text, at, context.values.constants) : null
    if (tag === null) {
      result += text[at++]
      continue
    }
    const source = text.slice(at, tag.end)
    if (PROGRAM.test(tag.name) && tag.kind === 'open') {
      const close = closeAfter(tag.name, tag.end)
      report(lineAt(at), 'QN-NOT-CONVERTED', `${quotedTag(source)} is left out.`)
      at = close === -1 ? tag.end : close + tag.name.length + 3
      continue
    }
    const code = tag.name === 'CodeBlock' && tag.kind === 'open' ? codeBlock(text, tag, context) : null
    if (code !== null) {
      result = onOwnLine(result, text, code.end, code.text)
      at = code.end
      continue
    }
    const { markdown, message } = markdownOf(tag, source, text.slice(tag.end, tag.end + 200), frames, context)
    if (message !== null)
      report(lineAt(at), markdown === null ? 'QN-NOT-CONVERTED' : 'QN-PARTLY-CONVERTED', message)
    at = tag.end
    if (markdown === null) continue
    result = 'block' in markdown ? onOwnLine(result, text, at, markdown.block) : result + markdown.inline
  }
}

/** The end of what stays as it is: a formula, a comment, an escaped character. Null where nothing of it begins. */
function verbatimEnd(text: string, at: number, lastComment: number): number | null {
  if (text.startsWith('<!--', at)) return at < lastComment ? text.indexOf('-->', at) + '-->'.length : null
  VERBATIM.lastIndex = at
  const found = VERBATIM.exec(text)?.[0]
  return found === undefined ? null : at + found.length
}

interface TagReplacement {
  /** The replacement. Null when the tag is left out with its content. */
  readonly markdown: Markdown | null
  readonly message: string | null
}

function markdownOf(
  tag: JsxTag,
  source: string,
  after: string,
  frames: Frame[],
  context: ElementContext,
): TagReplacement {
  if (tag.kind === 'close') return { markdown: closed(tag.name, frames, source), message: null }
  const attributes = { ...tag.attributes, ...importedAttributes(tag, context) }
  if (/^[a-z]/.test(tag.name)) return htmlElement(tag, attributes, frames)
  const included = tag.kind === 'self' ? context.include(tag.name) : null
  if (included !== null) return { markdown: { block: included }, message: null }
  const component: Component = {
    name: tag.name,
    isSelf: tag.kind === 'self',
    attributes,
    after,
    labels: frames.findLast(({ labels }) => labels !== null)?.labels ?? null,
    depth: frames.filter(({ name }) => name === 'FileTree.Folder').length,
  }
  const known = replacementOf(component)
  if (tag.kind === 'open' && frames.length < MAX_OPEN)
    frames.push({ name: tag.name, close: known?.close ?? NOTHING, labels: known?.labels ?? null })
  if (known !== null) return { markdown: known.open, message: known.open.message ?? null }
  return unknownComponent(component, source)
}

/** Keeps the texts of an unknown component: its texts and links, or a title on lines of its own. */
function unknownComponent({ isSelf, attributes, after }: Component, source: string): TagReplacement {
  const leftOut = `${quotedTag(source)} is left out.`
  const texts = isSelf ? textsOfComponent(attributes) : null
  if (texts !== null)
    return {
      markdown: texts.markdown.startsWith('\n') ? { block: texts.markdown } : { inline: texts.markdown },
      message: `${leftOut} ${texts.message}`,
    }
  if (isSelf) return { markdown: null, message: leftOut }
  const title = /^[ \t]*\n/.test(after) ? fieldText(attributes['title']) : undefined
  return {
    markdown: title === undefined ? NOTHING : { block: `**${title}**\n` },
    message: `${leftOut} The text inside of it stays.`,
  }
}

/** The end of the innermost element of this name. Elements in it that never end are dropped. */
function closed(name: string, frames: Frame[], source: string): Markdown {
  const at = frames.findLastIndex((frame) => frame.name === name)
  if (at === -1) return /^[a-z]/.test(name) ? { inline: source } : NOTHING
  const [frame] = frames.splice(at)
  return frame?.close ?? NOTHING
}

/** Images and addresses that are imported or required. */
function importedAttributes(
  { expressions }: JsxTag,
  context: ElementContext,
): Readonly<Record<string, JsonValue>> {
  const found = Object.entries(expressions).flatMap(([name, expression]): [string, JsonValue][] => {
    if (name === 'code' || name === 'children') {
      const text = context.importedText(expression)
      return text === null ? [] : [[name, text]]
    }
    const file = context.importedFile(expression.replace(/\.(src|default)$/, ''))
    const own = file ?? /(?:require|useBaseUrl)\(\s*['"]([^'"]+)['"]\s*\)/.exec(expression)?.[1]
    const declared = own ?? evaluated(expression, context)
    return declared === undefined ? [] : [[name, declared]]
  })
  return Object.fromEntries(found)
}

/** HTML as JSX writes it. Elements of blocks are set apart by empty lines, so that Markdown in them is Markdown. */
function htmlElement(
  { name, kind }: JsxTag,
  attributes: Readonly<Record<string, JsonValue>>,
  frames: Frame[],
): TagReplacement {
  const written = Object.entries(attributes).flatMap(([key, value]) => htmlAttribute(key, value) ?? [])
  const isVoid = /^(br|hr|img|input|source|area|col|wbr)$/.test(name)
  const html = `<${[name, ...written].join(' ')}${kind === 'self' && isVoid ? ' /' : ''}>`
  if (kind === 'self' && !isVoid) return { markdown: { inline: `${html}</${name}>` }, message: null }
  const isBlock = /^(div|section|article|aside|figure|figcaption|details|summary|center|main)$/.test(name)
  if (kind === 'self' || isVoid) return { markdown: { inline: html }, message: null }
  if (frames.length < MAX_OPEN)
    frames.push({
      name,
      close: { inline: `${isBlock && name !== 'summary' && name !== 'figcaption' ? '\n\n' : ''}</${name}>` },
      labels: null,
    })
  return {
    markdown: { inline: html + (isBlock && !/^(summary|figcaption|details)$/.test(name) ? '\n\n' : '') },
    message: null,
  }
}

/** `<CodeBlock>{…}</CodeBlock>`, whose content is a text. */
function codeBlock(
  text: string,
  tag: JsxTag,
  context: ElementContext,
): { readonly text: string; readonly end: number } | null {
  const brace = /^\s*\{/.exec(text.slice(tag.end, tag.end + 200))
  const start = tag.end + (brace?.[0].length ?? 1) - 1
  const end = brace === null ? null : expressionEnd(text, start)
  const close = end === null ? null : /^\s*<\/CodeBlock>/.exec(text.slice(end, end + 200))
  if (end === null || !close) return null
  const expression = text.slice(start + 1, end - 1).trim()
  const code = context.importedText(expression) ?? expressionValue(text, start, end, context.values.constants)
  const block = codeOf(tag.attributes, code)?.open
  return block === undefined || !('block' in block) ? null : { text: block.block, end: end + close[0].length }
}

/** The text of an expression: nothing for a comment. Null when it is computed. */
function expressionText(text: string, at: number, end: number, context: ElementContext): string | null {
  const expression = text.slice(at + 1, end - 1).trim()
  if (/^(?:\/\*[\s\S]*\*\/)?$/.test(expression)) return ''
  const value = evaluated(expression, context)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

function evaluated(expression: string, { values }: ElementContext): JsonValue | undefined {
  const own = values.lookUp(expression)
  if (own !== undefined) return own
  const declared = values.constants.get(expression)
  const [text, start] = declared === undefined ? [expression, 0] : [values.text, declared]
  const { value, skipped, end } = readLiteral(text, start)
  const isWhole = declared !== undefined || text.slice(end).trim() === ''
  return skipped.length === 0 && isWhole ? value : undefined
}

/** Appends a block on lines of its own, indented like the line that it begins on. */
function onOwnLine(before: string, text: string, end: number, block: string): string {
  const start = before.slice(before.lastIndexOf('\n') + 1)
  const isAlone = /^[ \t]*$/.test(start)
  const rest = /^[^\n]*/.exec(text.slice(end, end + 1000))?.[0] ?? ''
  const lines = block
    .split('\n')
    .map((line, index) => (index === 0 || line === '' || !isAlone ? line : start + line))
  return `${before}${isAlone || before === '' ? '' : '\n'}${lines.join('\n')}${rest.trim() === '' ? '' : '\n'}`
}

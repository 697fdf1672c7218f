import type { Element, ElementContent } from 'hast'
import type { Token } from '../highlight/token-cache.ts'
import { MAX_DIAGNOSTICS } from '../markdown-diagnostic.ts'
import { type CodeOptions, NO_OPTIONS, readCodeOptions } from './code-options.ts'
import { diagram } from './diagram.ts'
import { element, isTag } from './element.ts'
import type { EnhanceContext } from './enhance-context.ts'
import { enhanceFormula } from './formula.ts'

/**
 * Wraps a code block in a box with its title, line classes and token classes. The theme adds a copy button to
 * the box, and the `tabindex` lets the keyboard scroll it. Without a highlighter the code stays one text
 * node.
 */
export function enhanceCodeBlock(pre: Element, context: EnhanceContext): readonly ElementContent[] {
  const code = codeElement(pre)
  const { language, options } = code === null ? NO_CODE : readInfo(code)
  const drawn = code === null ? null : drawnCode(code, language?.toLowerCase() ?? '', options, context)
  if (drawn !== null) return drawn
  if (code !== null) fillCode(code, language, options, context)
  const numbered = options.firstNumber !== null &&
    code !== null && { className: [...classesOf(pre), 'numbered'] }
  pre.properties = { tabIndex: 0, ...pre.properties, ...numbered }

  // Code is left-to-right on right-to-left pages too.
  const isTerminal = language !== null && SHELLS.has(language.toLowerCase()) && options.title === null
  const properties = {
    className: isTerminal ? ['code', 'terminal'] : ['code'],
    dir: 'ltr',
    ...(language !== null && { dataLang: language }),
  }
  if (options.title === null) return [{ type: 'element', tagName: 'div', properties, children: [pre] }]
  const children = [element('figcaption', {}, [text(options.title)]), pre]
  return [{ type: 'element', tagName: 'figure', properties, children }]
}

/** A diagram or a formula in place of its source; null for other code, and for one that fails. */
function drawnCode(
  code: Element,
  language: string,
  { title }: CodeOptions,
  context: EnhanceContext,
): readonly ElementContent[] | null {
  const [source] = code.children
  if (source?.type !== 'text') return null
  if (language === 'math') return formulaOf(source.value, context)
  const drawn = language === 'mermaid' ? diagram(source.value, title, context) : null
  return drawn === null ? null : [drawn]
}

/** Code in the language `math` is a formula of its own, as on GitHub. */
function formulaOf(source: string, context: EnhanceContext): readonly ElementContent[] | null {
  const formula = element('code', { dataMath: 'display' }, [text(source.trim())])
  const [shown] = enhanceFormula(formula, context)
  return shown === undefined || shown === formula ? null : [element('p', {}, [shown])]
}

/** Languages whose code is typed into a terminal. */
const SHELLS: ReadonlySet<string> = new Set([
  'bash',
  'sh',
  'shell',
  'zsh',
  'fish',
  'console',
  'shellsession',
  'powershell',
  'ps1',
  'bat',
  'cmd',
])

const NO_CODE = { language: null, options: NO_OPTIONS }

function codeElement({ children: [code, ...others] }: Element): Element | null {
  return isTag(code, 'code') && others.length === 0 ? code : null
}

/**
 * Splits the class `language-…` of a code element into language and options. Options may follow the language without a
 * space, as in `js{4}`, or stand without a language. Other classes stay.
 */
function readInfo(code: Element): { readonly language: string | null; readonly options: CodeOptions } {
  const { className, dataMeta, ...others } = code.properties
  const info = classesOf(code).find((name) => name.startsWith(LANGUAGE))
  const written = info === undefined ? '' : info.slice(LANGUAGE.length)
  const [, language = '', options = ''] = /^((?!\w+=)[^{:[,]*)(.*)$/s.exec(written) ?? ['', '', written]
  const classes = [
    ...(language === '' ? [] : [`${LANGUAGE}${language}`]),
    ...classesOf(code).filter((name) => name !== info),
  ]
  code.properties = { ...(classes.length > 0 && { className: classes }), ...others }
  return {
    language: language === '' ? null : language,
    options: readCodeOptions(`${options} ${typeof dataMeta === 'string' ? dataMeta : ''}`),
  }
}

/**
 * Colours and other commands of terminals, which recorded output has: ECMA-48 § 5.4. They are no characters of HTML.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
const TERMINAL_CONTROLS = /\u001b(?:\[[0-?]*[ -/]*[@-~])?/g

/** Start of the class that names the language of code. */
const LANGUAGE = 'language-'

function classesOf({ properties: { className } }: Element): readonly string[] {
  return Array.isArray(className) ? className.map(String) : []
}

function fillCode(
  code: Element,
  language: string | null,
  options: CodeOptions,
  context: EnhanceContext,
): void {
  const [source, ...others] = code.children
  if (source?.type !== 'text' || others.length > 0) return
  source.value = source.value.replace(TERMINAL_CONTROLS, '')
  const body = source.value.replace(/\n$/, '')
  const tokens = language === null ? null : highlighted(body, language, context)
  if (tokens === null && options === NO_OPTIONS && language !== 'diff') return
  const lines = tokens?.map((line) => line.map(tokenNode)) ?? body.split('\n').map((line) => [text(line)])
  const classes = body.split('\n').map((line, index) => lineClasses(line, index + 1, language, options))

  const needsLines = options.firstNumber !== null || classes.some((names) => names.length > 0)
  if (needsLines) code.children = lineElements(lines, classes, options.firstNumber)
  else if (tokens !== null) code.children = lines.flatMap((line) => [...line, text('\n')])
}

/** Highlights blocks in page order until the page's budget is used up; later blocks stay plain. */
function highlighted(
  code: string,
  language: string,
  context: EnhanceContext,
): readonly (readonly Token[])[] | null {
  if (code.length > context.codeBudget) return null
  const lines = context.options.tools?.highlight(code, language) ?? null
  if (lines !== null) context.codeBudget -= code.length
  else reportPlain(language, context)
  return lines
}

/** Reports each language once per page. It is looked up once too, since the lookup compares it with all known names. */
function reportPlain(language: string, { options, plainLanguages, diagnostics }: EnhanceContext): void {
  if (plainLanguages.has(language) || diagnostics.length >= MAX_DIAGNOSTICS) return
  plainLanguages.add(language)
  const reason = options.tools?.plainReason(language) ?? null
  if (reason === null) return
  const name = language.slice(0, 50)
  const message = `Code in ${JSON.stringify(name)} is shown without colours: ${reason}`
  diagnostics.push({ code: 'QN-PLAIN-CODE', excerpt: `\`\`\`${name}`, message })
}

function tokenNode({ text: value, kind }: Token): ElementContent {
  return kind === null ? text(value) : element('span', { className: [`hl-${kind}`] }, [text(value)])
}

function lineClasses(
  line: string,
  number: number,
  language: string | null,
  options: CodeOptions,
): readonly string[] {
  const isDiff = language === 'diff'
  return [
    ...(options.marked(number) ? ['marked'] : []),
    ...(isDiff && /^\+(?!\+\+ )/.test(line) ? ['added'] : []),
    ...(isDiff && /^-(?!-- )/.test(line) ? ['removed'] : []),
    // Diff lines have a sign in their text; the style adds one to these.
    ...(options.added(number) ? ['added', 'signed'] : []),
    ...(options.removed(number) ? ['removed', 'signed'] : []),
  ]
}

/** Keeps each line break inside its line's element, so that copied text equals the source. */
function lineElements(
  lines: readonly ElementContent[][],
  classes: readonly (readonly string[])[],
  firstNumber: number | null,
): Element[] {
  return lines.map((line, index) => {
    const numbered = firstNumber !== null && { dataLine: String(firstNumber + index) }
    const properties = { className: ['line', ...(classes[index] ?? [])], ...numbered }
    return element('span', properties, [...line, text('\n')])
  })
}

function text(value: string): ElementContent {
  return { type: 'text', value }
}

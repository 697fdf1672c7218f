import type { Nodes, Root } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { defaultHandlers, type Handle, type Join, type Options, toMarkdown } from 'mdast-util-to-markdown'
import './mdast-nodes.ts'

/** Matches one character that is part of a word. */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

// All but the first, which would escape every address in the text.
const [, ...gfm] = gfmToMarkdown({ tablePipeAlign: false }).extensions ?? []

type Unsafe = NonNullable<Options['unsafe']>[number]

const inProse: Pick<Unsafe, 'inConstruct' | 'notInConstruct'> = {
  inConstruct: 'phrasing',
  notInConstruct: ['autolink', 'destinationLiteral', 'destinationRaw'],
}

/** Quoin's own signs, where a text has them by chance. */
const SIGNS: Unsafe[] = [
  { atBreak: true, character: ':', after: '[: \\t]' },
  { ...inProse, character: ':', before: '(?:^|[^\\w:/@.-])', after: '[\\w+-]+:' },
  { ...inProse, character: '=', after: '=\\S' },
  { ...inProse, character: '^', before: '[^\\s]', after: '[^\\s]' },
  { ...inProse, character: '{', after: '[{#%]' },
]
/** A single dollar is a price. */
const FORMULAS: Unsafe[] = [{ ...inProse, character: '$', after: '[^\\s]' }]

const text: Handle = (node, parent, state, info) => relaxed(defaultHandlers.text(node, parent, state, info))

/** Brackets that begin no link and stars between blanks stay as people write them. */
function relaxed(written: string): string {
  return written
    .replace(/\\\[(?=[\p{L}\p{N}][\p{L}\p{N} ,.'’-]+\](?!$|[([:]))/gu, '[')
    .replace(/(?<=\S )\\\*(?= )/g, '*')
}

const directiveLine: Handle = (node, _, state, info) => {
  const exit = state.enter('phrasing')
  const label = state.containerPhrasing(node, {
    ...info,
    before: node.before.slice(-1) || '\n',
    after: node.after.slice(0, 1) || '\n',
  })
  exit()
  return `${node.before}${label}${node.after}`.trimEnd()
}

const definitionText: Handle = (node, _, state, info) => {
  const tracker = state.createTracker(info)
  tracker.move(': ')
  tracker.shift(2)
  const lines = state.indentLines(state.containerFlow(node, tracker.current()), (line, index, isBlank) =>
    index === 0 ? `: ${line}` : isBlank ? '' : `  ${line}`,
  )
  return lines
}

const marked: Handle = (node, _, state, info) => {
  const exit = state.enter('strong')
  const inside = state.containerPhrasing(node, { ...info, before: '=', after: '=' })
  exit()
  const fits =
    !LETTER_OR_DIGIT.test(info.before) &&
    !LETTER_OR_DIGIT.test(info.after) &&
    /^\S[^\n]*$/.test(inside) &&
    !inside.includes('==')
  return fits ? `==${inside}==` : `<mark>${inside}</mark>`
}

const scriptText: Handle = (node, _, __, info) => {
  const fits = LETTER_OR_DIGIT.test(info.before) && !/[~^]/.test(info.after)
  const tag = node.sign === '~' ? 'sub' : 'sup'
  return fits && /^[\p{L}\p{N}]+$/u.test(node.value)
    ? `${node.sign}${node.value}${node.sign}`
    : `<${tag}>${node.value}</${tag}>`
}

const peeks = { marked: () => '=', scriptText: ({ sign }: { sign: string }) => sign }
const handlers = {
  text,
  directiveLine,
  definitionText,
  marked: Object.assign(marked, { peek: peeks.marked }),
  scriptText: Object.assign(scriptText, { peek: peeks.scriptText }),
}

/** Directives are next to what they enclose, and definitions next to their terms. */
const joinLines: Join = (left, right) => {
  const isPlayer = (node: Nodes) =>
    node.type === 'directiveLine' && /^::\w/.test(node.before) && !/^::(?:column|card)\b/.test(node.before)
  if (right.type === 'definitionText') return 0
  if (isPlayer(left) || isPlayer(right)) return 1
  if (left.type === 'directiveLine' && left.before === ':::')
    return right.type === 'directiveLine' && right.before === ':::' ? 0 : 1
  if (left.type === 'directiveLine') return 0
  return right.type === 'directiveLine' && !/^:::\w/.test(right.before) ? 0 : null
}

/** Writes a syntax tree as Markdown, as a person would. */
export function writeMarkdown(root: Root): string {
  const written = toMarkdown(root, {
    bullet: '-',
    bulletOther: '*',
    emphasis: '*',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
    resourceLink: false,
    handlers: handlers as never,
    join: [joinLines],
    unsafe: [...SIGNS, ...(dollarsIn(root) > 1 ? FORMULAS : [])],
    extensions: gfm,
  })
  return written.trim() === '' ? '' : written
}

function dollarsIn(node: Nodes): number {
  if (node.type === 'text') return dollars(node.value)
  if (node.type === 'image') return dollars(`${node.alt}${node.title}${node.url}`)
  return 'children' in node ? node.children.reduce((sum, child) => sum + dollarsIn(child), 0) : 0
}

function dollars(text: string): number {
  return text.split('$').length - 1
}

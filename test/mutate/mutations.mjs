// Lists the mutations of a TypeScript file: small changes of one expression or statement, which a test should notice.
import { parseAst } from 'rolldown/parseAst'

/** Operators and what replaces each. */
const BINARY = {
  '<': ['<='],
  '<=': ['<'],
  '>': ['>='],
  '>=': ['>'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
}
const LOGICAL = { '&&': '||', '||': '&&' }

/** Returns the mutations in the order of the source. */
export function mutationsOf(source) {
  const found = []
  visit(parseAst(source, { lang: 'ts' }), null)
  return found.sort((a, b) => a.start - b.start || a.end - b.end)

  function visit(node, parent) {
    if (isSkipped(node)) return
    MUTATORS[node.type]?.(node, parent, add, source)
    for (const child of childrenOf(node)) visit(child, node)
  }

  function add(kind, { start, end }, replacement) {
    found.push({ kind, start, end, replacement })
  }
}

/** Types and imports do nothing at run time. */
function isSkipped({ type }) {
  return /^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|^ImportDeclaration$/.test(type)
}

function childrenOf(node) {
  return Object.values(node)
    .flat()
    .filter((value) => typeof value?.type === 'string')
}

const MUTATORS = {
  BinaryExpression({ left, operator, right }, _parent, add, source) {
    const between = { start: left.end, end: right.start }
    const text = source.slice(between.start, between.end)
    for (const other of BINARY[operator] ?? []) add('operator', between, text.replace(operator, other))
  },
  LogicalExpression({ left, operator, right, start, end }, _parent, add, source) {
    const between = { start: left.end, end: right.start }
    const other = LOGICAL[operator]
    if (other !== undefined)
      add('operator', between, source.slice(between.start, between.end).replace(operator, other))
    else add('fallback', { start, end }, source.slice(left.start, left.end))
  },
  UnaryExpression({ operator, argument, start, end }, _parent, add, source) {
    if (operator === '!') add('negation', { start, end }, source.slice(argument.start, argument.end))
  },
  ConditionalExpression({ consequent, alternate }, _parent, add, source) {
    const [yes, no] = [consequent, alternate].map(({ start, end }) => source.slice(start, end))
    const between = source.slice(consequent.end, alternate.start)
    add('branches', { start: consequent.start, end: alternate.end }, `${no}${between}${yes}`)
  },
  IfStatement({ test }, _parent, add) {
    add('condition', test, 'true')
    add('condition', test, 'false')
  },
  ExpressionStatement({ expression, start, end }, _parent, add) {
    if (/^(Await|Call)Expression$/.test(expression.type)) add('statement', { start, end }, ';')
  },
  CallExpression({ arguments: given }, _parent, add, source) {
    for (const [index, second] of given.slice(1).entries()) {
      const first = given[index]
      const texts = [second, first].map(({ start, end }) => source.slice(start, end))
      add('arguments', { start: first.start, end: second.end }, texts.join(', '))
    }
  },
  Literal(node, parent, add, source) {
    if (parent?.type === 'ExportAllDeclaration' || parent?.type === 'ExpressionStatement') return
    const { value, regex } = node
    if (regex !== undefined) mutateRegex(node, add)
    else if (typeof value === 'boolean') add('boolean', node, String(!value))
    else if (typeof value === 'number') add('number', node, String(value + 1))
    else if (typeof value === 'string' && !isName(node, parent, source))
      add('string', node, value === '' ? "'changed'" : "''")
  },
  TemplateLiteral(node, _parent, add) {
    if (node.quasis.some(({ value }) => value.raw !== '')) add('string', node, '``')
  },
}

/** True for keys, and for members of literal types, such as `kind: 'page'`, which the type checker holds. */
function isName(node, parent, source) {
  return parent?.key === node && source[node.start - 1] !== '['
}

function mutateRegex(node, add) {
  const { pattern, flags } = node.regex
  const write = (pattern, flags) => add('expression', node, `/${pattern}/${flags}`)
  for (const flag of flags.replace(/[guyv]/g, '')) write(pattern, flags.replace(flag, ''))
  if (pattern.startsWith('^')) write(pattern.slice(1), flags)
  if (pattern.endsWith('$') && !pattern.endsWith('\\$')) write(pattern.slice(0, -1), flags)
  for (const { index } of pattern.matchAll(/(?<![\\(])\+(?!\?)/g))
    write(`${pattern.slice(0, index)}*${pattern.slice(index + 1)}`, flags)
  const bound = /\{(\d+),(\d+)\}/.exec(pattern)
  if (bound !== null) {
    const [whole, least, most] = bound
    write(pattern.replace(whole, `{${least},${Number(most) + 1}}`), flags)
    write(pattern.replace(whole, `{${Number(least) + 1},${most}}`), flags)
  }
}

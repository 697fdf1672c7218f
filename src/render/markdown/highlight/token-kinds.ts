import type { ThemeRegistrationRaw } from 'shiki/core'

/** Kind of a token, with a style token of its own in themes. */
export type TokenKind = keyof typeof SCOPES

/** TextMate scopes of each kind. The longest matching scope takes precedence. */
const SCOPES = {
  c: ['comment', 'punctuation.definition.comment', 'string.quoted.docstring', 'meta.diff', 'markup.quote'],
  s: ['string', 'punctuation.definition.string', 'constant.other.symbol', 'markup.inline.raw', 'markup.raw'],
  n: [
    'constant',
    'variable.language',
    'support.constant',
    'keyword.other.unit',
    'constant.other.placeholder',
  ],
  k: ['keyword', 'storage', 'entity.name.tag', 'markup.heading', 'entity.name.section', 'markup.bold'],
  f: ['entity.name.function', 'support.function', 'entity.name.command', 'meta.function-call.generic'],
  t: [
    'entity.name.type',
    'entity.name.class',
    'entity.other.inherited-class',
    'support.type',
    'support.class',
  ],
  a: [
    'entity.other.attribute-name',
    'support.type.property-name',
    'meta.object-literal.key',
    'variable.other.property',
    'entity.name.tag.yaml',
    'keyword.other.definition.ini',
    'variable.other.assignment',
  ],
  i: ['markup.inserted'],
  d: ['markup.deleted'],
} as const

/** Scopes shown as ordinary text. */
const PLAIN = [
  'keyword.operator',
  'punctuation',
  'meta.embedded',
  'meta.template.expression',
  'string.unquoted.argument',
  'string.unquoted.plain',
  'storage.type.function.arrow',
]
/** Operators that are words, coloured as keywords. */
const WORDS = [
  'keyword.operator.new',
  'keyword.operator.expression',
  'keyword.operator.logical.python',
  'keyword.operator.word',
]

const KINDS = Object.keys(SCOPES) as TokenKind[]
const PLAIN_COLOUR = '#000000'

/** Shiki theme with numbers of kinds as colours, for `kindOf`. */
export const KIND_THEME: ThemeRegistrationRaw = {
  name: 'kinds',
  type: 'light',
  fg: PLAIN_COLOUR,
  bg: '#FFFFFF',
  settings: [
    { settings: { foreground: PLAIN_COLOUR } },
    { scope: PLAIN, settings: { foreground: PLAIN_COLOUR } },
    { scope: WORDS, settings: { foreground: colourOf('k') } },
    ...KINDS.map((kind) => ({ scope: [...SCOPES[kind]], settings: { foreground: colourOf(kind) } })),
  ],
}

export function isTokenKind(name: string): name is TokenKind {
  return Object.hasOwn(SCOPES, name)
}

/** Reads the kind from a colour; null for ordinary text. */
export function kindOf(colour: string | undefined): TokenKind | null {
  return KINDS.find((kind) => colourOf(kind) === colour?.toUpperCase()) ?? null
}

function colourOf(kind: TokenKind): string {
  return `#00000${KINDS.indexOf(kind) + 1}`
}

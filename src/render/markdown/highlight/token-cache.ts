import { isTokenKind, type TokenKind } from './token-kinds.ts'

/** Part of a line. `kind` is null for ordinary text. */
export interface Token {
  readonly text: string
  readonly kind: TokenKind | null
}

/** The tokens of each line of a code block. */
export type TokenLines = readonly (readonly Token[])[]

/** Lasting tokens of code blocks, by code and grammar. */
export interface TokenCache {
  /** Reads the tokens of a code; null without an entry. */
  find(code: string, grammar: string): TokenLines | null
  add(code: string, grammar: string, lines: TokenLines): void
}

const PLAIN = '-'
const LINE_END = '/'

/**
 * Writes kinds and lengths only, such as `k5-7/c12` for two lines: the text is in the code. `-` is the kind of ordinary
 * text. Two blocks of the same shape have the same encoding, and no encoding reveals a word of the code.
 */
export function encodeTokens(lines: TokenLines): string {
  return lines
    .map((line) => line.map(({ text, kind }) => `${kind ?? PLAIN}${text.length}`).join(''))
    .join(LINE_END)
}

/** @returns null when `encoded` was not written for this code. */
export function decodeTokens(encoded: string, code: string): TokenLines | null {
  const texts = code.replaceAll('\r\n', '\n').split('\n')
  const written = encoded.split(LINE_END)
  if (written.length !== texts.length) return null
  const lines: (readonly Token[])[] = []
  for (const [index, text] of texts.entries()) {
    const line = decodeLine(written[index] as string, text)
    if (line === null) return null
    lines.push(line)
  }
  return lines
}

const TOKEN = /([a-z-])(\d+)/y

function decodeLine(encoded: string, text: string): readonly Token[] | null {
  const tokens: Token[] = []
  let start = 0
  TOKEN.lastIndex = 0
  for (let at = 0; at < encoded.length; at = TOKEN.lastIndex) {
    const [, kind = '', length = ''] = TOKEN.exec(encoded) ?? []
    if (kind !== PLAIN && !isTokenKind(kind)) return null
    const end = start + Number(length)
    tokens.push({ text: text.slice(start, end), kind: kind === PLAIN ? null : kind })
    start = end
  }
  return start === text.length ? tokens : null
}

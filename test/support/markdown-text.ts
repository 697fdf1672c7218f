import fc from 'fast-check'
import type { Nodes, Root } from 'mdast'

/** Texts of Markdown syntax, words and any other characters. */
export const anyText: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...'\\`*_[](){}<>~&#-+=|!:;."\'@/^ \t\n123aBä字'), maxLength: 40 }),
    fc
      .array(
        fc.constantFrom(
          ...['#', '1.', '-', '---', '- - -', '```', '~~~', '<!--', '&amp;', '&#35;', '[^1]', '[x]', '](/y)'],
          ...['**a**', 'snake_case', '__init__', '<b>', 'http://a.example', 'www.a.example', 'a@b.example'],
          ...[
            '===',
            '| a | b |',
            '![a]',
            '\\',
            '`',
            ' ',
            '\n',
            'word',
            'ü',
            '🙂',
            '\u00a0',
            '\u2028',
            '\u3000',
          ],
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join('')),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
  )
  // Markdown replaces NUL, and lone surrogates are refused before parsing.
  .map((text) => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, ''))

/** A text with visible characters. */
export const visibleText: fc.Arbitrary<string> = anyText.filter((text) => /[^\s\p{C}\p{Z}]/u.test(text))

/** White space as browsers collapse it. */
export function collapsed(text: string): string {
  return text.replace(/[ \t\n\r\f]+/g, ' ').replace(/^ | $/g, '')
}

/** The text of a tree, without the text of images. */
export function textOf(node: Root | Nodes): string {
  if ('children' in node) return node.children.map(textOf).join('')
  return 'value' in node ? node.value : ''
}

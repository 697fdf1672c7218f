import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findContainers } from '../../../../src/render/markdown/placeholders/find-containers.ts'
import type { Placeholder } from '../../../../src/render/markdown/placeholders/placeholder.ts'
import { sourceLines } from '../../../../src/render/markdown/placeholders/source-lines.ts'

function find(source: string) {
  const placeholders: Placeholder[] = []
  const { lines, diagnostics } = findContainers(sourceLines(source), placeholders)
  const opened = placeholders.flatMap((found) => (found.type === 'opening' ? [found] : []))
  return { placeholders, lines, diagnostics, names: opened.map(({ container }) => container), opened }
}

describe('a container', () => {
  test.each([
    [':::note', 'note'],
    [':::info', 'note'],
    [':::danger', 'caution'],
    [':::TIP', 'tip'],
    ['::: warning', 'warning'],
    [':::note Title', 'note'],
    [':::note[Title]', 'note'],
    ['::::details', 'details'],
    ['  :::steps', 'steps'],
    [':::code-group', 'code-group'],
  ])('opened by %j is a %s', (opening, name) => {
    const [colons] = /:+/.exec(opening) ?? []
    expect(find(`${opening}\na\n${colons}`).names).toEqual([name])
  })

  test('is closed by as many colons as opened it, around those with fewer', () => {
    const { names, diagnostics } = find('::::note\n:::tip\na\n:::\n::::')
    expect(names).toEqual(['tip', 'note'])
    expect(diagnostics).toEqual([])
  })

  test('names the placeholder that closes it', () => {
    const { placeholders, opened } = find(':::note\n:::\n\n:::tip\n:::')
    for (const { closedBy } of opened) expect(placeholders[closedBy]?.type).toBe('closing')
    expect(new Set(opened.map(({ closedBy }) => closedBy)).size).toBe(2)
  })

  test('in a quote ends in a quote of the same depth', () => {
    expect(find('> :::note\n> a\n> :::').names).toEqual(['note'])
    expect(find('> :::note\n> a\n:::').names).toEqual([])
  })

  test('in a fenced block is code', () => {
    expect(find('```\n:::note\na\n:::\n```').placeholders).toEqual([])
  })

  test('is divided at its own level only when it holds tabs', () => {
    const tabs = (source: string) => find(source).placeholders.filter(({ type }) => type === 'divider').length
    expect(tabs(':::tabs\n::tab[A]\na\n::tab[B]\nb\n:::')).toBe(2)
    expect(tabs(':::note\n::tab[A]\n:::')).toBe(0)
    expect(tabs('::::tabs\n::tab[A]\n:::note\n::tab[B]\n:::\n::::')).toBe(1)
    expect(tabs(':::tabs\n::tab\n:::')).toBe(0)
  })
})

describe('a container that stays text', () => {
  test.each([
    [':::note\na', ':::note', 'no line with as many colons closes it.'],
    ['::::note\na\n:::', '::::note', 'no line with as many colons closes it.'],
    [':::nota\na\n:::', ':::nota', 'no container has this name. Is it note?'],
    [':::note:\na\n:::', ':::note', 'a space must precede its title'],
  ])('is reported with a reason: %j', (source, _, reason) => {
    const { names, diagnostics } = find(source)
    expect(names).toEqual([])
    expect(diagnostics.map(({ code }) => code)).toEqual(['QN-BAD-CONTAINER'])
    expect(diagnostics[0]?.message).toContain(reason)
  })

  test('is the ninth inside each other; those around it are shown', () => {
    const depth = 9
    const opening = Array.from({ length: depth }, (_, n) => `${':'.repeat(3 + depth - n)}note`)
    const closing = opening.map((line) => line.replace('note', '')).reverse()
    const { names, diagnostics } = find([...opening, 'a', ...closing].join('\n'))
    expect(names).toHaveLength(8)
    expect(diagnostics.map(({ message }) => message).join()).toContain('nest up to 8 levels deep')
  })

  test('is reported at most 100 times', () => {
    expect(find(':::note\n'.repeat(10_000)).diagnostics).toHaveLength(100)
    expect(find(':::nonsense\n'.repeat(10_000)).diagnostics).toHaveLength(100)
  })

  test.each([':::__proto__', ':::constructor', ':::toString'])(
    'is one named %j, like any unknown one',
    (line) => {
      expect(find(`${line}\na\n:::`).names).toEqual([])
    },
  )
})

test('opening and closing lines always come in pairs, whatever is written', () => {
  const line = fc.constantFrom(
    ...[
      ':::note',
      '::::tip',
      ':::tabs',
      '::tab[A]',
      ':::',
      '::::',
      '> :::note',
      '> :::',
      '',
      'a',
      '```',
      ':::x',
      '- a',
    ],
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (written) => {
      const { placeholders, lines, opened } = find(written.join('\n'))
      const closings = placeholders.filter(({ type }) => type === 'closing')
      expect(closings).toHaveLength(opened.length)
      expect(lines.size).toBe(placeholders.length)
      for (const index of lines.keys()) expect(written[index]).toContain('::')
    }),
    { numRuns: 500 },
  )
})

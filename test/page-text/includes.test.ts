import { describe, expect, test } from 'vitest'
import { dedented, linesOf, regionOf } from '../../src/page-text/code-region.ts'
import { expandIncludes, type IncludeSources } from '../../src/page-text/includes.ts'

function sourcesOf(files: Readonly<Record<string, string>>): IncludeSources {
  const get = (name: string) => {
    const text = files[name]
    return text === undefined ? `there is no ${name}.` : { name, text }
  }
  return { file: get, page: get, links: (text) => text }
}

function expanded(body: string, files: Readonly<Record<string, string>>) {
  return expandIncludes('page.md', body, sourcesOf(files))
}

describe('the parts of a file', () => {
  test.each([
    ['// #region a', '// #endregion'],
    ['  # region a', '  # endregion a'],
    ['<!-- #region a -->', '<!-- #endregion a -->'],
    ['/* [START a] */', '/* [END a] */'],
    ['# --8<-- [start:a]', '# --8<-- [end:a]'],
    ['// [a]', '// [/a]'],
    ['-- [a]', '-- [a]'],
  ])('a region is what is between %s and %s', (start, end) => {
    expect(regionOf(`0\n${start}\n  1\n    2\n${end}\n3`, 'a')).toBe('  1\n    2')
  })

  test('a region within another one loses its markers alone', () => {
    const text = '#region a\n1\n#region b\n2\n#endregion\n3\n#endregion\n4'
    expect(regionOf(text, 'a')).toBe('1\n2\n3')
    expect(regionOf(text, 'b')).toBe('2')
  })

  test.each(['none', '#region a\n1'])('no region is found in %j', (text) => {
    expect(regionOf(text, 'a')).toBeNull()
  })

  test.each([
    ['2-3', 'b\nc'],
    ['2', 'b'],
    ['3-', 'c\nd'],
    ['-2', 'a\nb'],
    ['1,4', 'a\nd'],
    ['5', null],
    ['3-2', null],
    ['x', null],
    ['', null],
  ])('lines are chosen by %s', (lines, text) => {
    expect(linesOf('a\nb\nc\nd\n', lines)).toBe(text)
  })

  test('the indentation that all lines share is removed', () => {
    expect(dedented('\n\n    a\n      b\n\n    c\n\n')).toBe('a\n  b\n\nc')
  })
})

describe('includes', () => {
  test('a file takes the place of its line, without front matter and title', () => {
    const { text, included, faults } = expanded('---\ntitle: A\n---\n# A\n\n::include{file="b.md"}\n\nEnd.', {
      'b.md': '---\ntitle: B\n---\n# B\n\nText of **b**.\n',
    })
    expect(text).toBe('---\ntitle: A\n---\n# A\n\nText of **b**.\n\nEnd.')
    expect({ included, faults }).toEqual({ included: ['b.md'], faults: [] })
  })

  test('the text below a heading is included alone', () => {
    const { text } = expanded('::include{page="b" heading="Install it"}', {
      b: '## Before\n\n1\n\n## Install *it* {#setup}\n\n2\n\n### Deeper\n\n3\n\n## After\n\n4',
    })
    expect(text).toBe('2\n\n### Deeper\n\n3')
  })

  test('lines stay in the quote or the list item of the directive', () => {
    const { text } = expanded('> ::include{file="b.md"}\n\n- One\n  ::code{file="c.ts"}', {
      'b.md': '1\n\n2',
      'c.ts': 'let a\n',
    })
    expect(text).toBe('> 1\n>\n> 2\n\n- One\n  ```ts\n  let a\n  ```')
  })

  test('code is fenced, without markers, in the language of its file', () => {
    const { text } = expanded('::code{file="src/a.py" region="main" title="a.py" highlight="1"}', {
      'src/a.py': 'import x\n# #region main\ndef main():\n    """```"""\n# #endregion\n',
    })
    expect(text).toBe('```python title="a.py" {1}\ndef main():\n    """```"""\n```'.replace('python', 'py'))
  })

  test('includes in code stay text', () => {
    const body = '```md\n::include{file="b.md"}\n```'
    expect(expanded(body, { 'b.md': 'x' })).toEqual({ text: body, included: [], faults: [] })
  })

  test('texts that include each other are refused, with all of the chain', () => {
    const { faults } = expanded('1\n\n::include{file="b"}', {
      b: '::include{file="c"}',
      c: '::include{file="b"}',
    })
    expect(faults).toMatchObject([
      { code: 'QN-INCLUDE-LOOP', line: 3, message: expect.stringContaining('page.md → b → c → b') },
    ])
  })

  test('a page that includes itself is refused', () => {
    expect(expandIncludes('a', '::include{page="a"}', sourcesOf({ a: '' })).faults).toMatchObject([
      { code: 'QN-INCLUDE-LOOP' },
    ])
  })

  test.each([
    ['::include{file="none.md"}', 'there is no none.md.'],
    ['::include{}', 'it needs either file="…" or page="…".'],
    ['::include{file="b" page="b"}', 'it needs either file="…" or page="…".'],
    ['::include{file="b" heading="X"}', 'b has no heading X.'],
    ['::code{file="b" region="x"}', 'b has no region x that begins and ends.'],
    ['::code{file="b" lines="9"}', 'b has no lines 9.'],
    ['::code{file="b" lines="1" region="x"}', 'one of lines, region and heading only'],
    ['::code{file="b" line="1"}', 'it has no attribute line.'],
  ])('%s stays and is reported', (line, message) => {
    const { text, faults } = expanded(`First.\n\n${line}`, { b: 'one' })
    expect(text).toBe(`First.\n\n${line}`)
    expect(faults).toMatchObject([
      { code: 'QN-BAD-INCLUDE', line: 3, message: expect.stringContaining(message) },
    ])
  })

  test('depth, number and size have limits', () => {
    const deep = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [String(index), `::include{file="${index + 1}"}`]),
    )
    expect(expanded('::include{file="0"}', deep).faults[0]?.message).toContain('8 levels')
    const wide = Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [String(index), `::include{file="${index + 1}"}\n`.repeat(9)]),
    )
    const { faults } = expanded('::include{file="0"}', { ...wide, 5: 'x' })
    expect(faults.some(({ message }) => message.includes('200 includes'))).toBe(true)
    expect(
      expanded('::include{file="a"}\n'.repeat(5), { a: 'x'.repeat(600_000) }).faults[0]?.message,
    ).toContain('MiB')
  })
})

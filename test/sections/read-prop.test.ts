import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../src/domain/json.ts'
import {
  boolean,
  choice,
  choiceOrImage,
  list,
  number,
  object,
  type Props,
  type Shape,
  text,
} from '../../src/sections/prop.ts'
import { looksLikeUrl, readKeys, readProps, warnMissing, warnUnknown } from '../../src/sections/read-prop.ts'

const PICTURE: Shape = { props: { src: text('url') }, requires: ['src'], shorthand: 'src' }
const PROPS: Props = {
  title: text('heading', 'headline'),
  wide: boolean(),
  columns: number(1, 4),
  layout: choice(['grid', 'list']),
  background: choiceOrImage(['dark', 'muted'], PICTURE),
  image: object(PICTURE),
  items: list(object(PICTURE)),
}

function read(...levels: readonly JsonObject[]) {
  const notes = { errors: [], warnings: [] }
  const written = levels.map((level, index) => readKeys(level, index === 0 ? 'props' : 'section'))
  const props = readProps(PROPS, written, notes)
  warnUnknown(PROPS, written, notes)
  return { props, ...notes }
}

const pathsOf = (issues: readonly { readonly path: string }[]) => issues.map(({ path }) => path)

describe('a prop', () => {
  test.each(['open_first', 'openFirst', 'open-first', 'Open_First', 'OPEN_FIRST'])(
    'may be written as %s',
    (written) => {
      expect([...readKeys({ [written]: true }, '').keys()]).toEqual(['open_first'])
    },
  )

  test('has the value of its own spelling where an object has several', () => {
    for (const object of [
      { openFirst: 1, open_first: 2 },
      { open_first: 2, openFirst: 1 },
    ])
      expect(readKeys(object, '').get('open_first')?.value).toBe(2)
  })

  test('is found under its name first, then under its aliases in their order', () => {
    expect(read({ headline: 'C', heading: 'B', title: 'A' }).props).toEqual({ title: 'A' })
    expect(read({ headline: 'C', heading: 'B' }).props).toEqual({ title: 'B' })
  })

  test('is taken from the props rather than from the section around them, under any name', () => {
    expect(read({ headline: 'In props' }, { title: 'Around' }).props).toEqual({ title: 'In props' })
    expect(read({}, { title: 'Around' }).props).toEqual({ title: 'Around' })
  })

  test('counts as absent when it is null or blank', () => {
    expect(read({ title: null, wide: null, layout: ' ' })).toEqual({ props: {}, errors: [], warnings: [] })
    expect(read({ title: ' \n' }).props).toEqual({})
    expect(read({ title: null, heading: 'B' }).props).toEqual({ title: 'B' })
  })
})

describe('a value', () => {
  test.each([
    ['a number as text', { title: 29 }, { title: '29' }],
    ['digits as a number', { columns: ' 3 ' }, { columns: 3 }],
    ['a choice in any case', { layout: ' Grid' }, { layout: 'grid' }],
    ['a text as an object with a shorthand', { image: '/a.png' }, { image: { src: '/a.png' } }],
    ['one object as a list', { items: { url: '/a' } }, { items: [{ src: '/a' }] }],
    ['one text as a list', { items: '/a' }, { items: [{ src: '/a' }] }],
    ['a list with gaps', { items: [null, '/a', ''] }, { items: [{ src: '/a' }, {}] }],
    ['a choice where an image may be', { background: 'Dark' }, { background: 'dark' }],
    ['an image where a choice may be', { background: '/a.png' }, { background: { src: '/a.png' } }],
  ] as [string, JsonObject, JsonObject][])('is accepted in this form: %s', (_, written, props) => {
    expect(read(written)).toMatchObject({ props, errors: [] })
  })

  test.each([
    [{ title: true }, 'props.title'],
    [{ title: ['a'] }, 'props.title'],
    [{ heading: {} }, 'props.heading'],
    [{ wide: 'yes' }, 'props.wide'],
    [{ columns: 'three' }, 'props.columns'],
    [{ layout: 3 }, 'props.layout'],
    [{ image: 3 }, 'props.image'],
    [{ items: 3 }, 'props.items'],
    [{ items: ['/a', 3] }, 'props.items[1]'],
    [{ items: [{ url: false }] }, 'props.items[0].url'],
  ] as [JsonObject, string][])('has the wrong type in %j and is an error at %s', (written, path) => {
    expect(pathsOf(read(written).errors)).toEqual([path])
  })

  test.each([
    [{ columns: 0 }, 'from 1 to 4'],
    [{ columns: 2.5 }, 'whole number'],
    [{ columns: '99' }, 'from 1 to 4'],
    [{ layout: 'masonry' }, 'must be one of grid, list.'],
    [{ background: 'pink' }, 'must be one of dark, muted.'],
  ] as [JsonObject, string][])('is left out with a warning when %j does not allow it', (written, message) => {
    const { props, errors, warnings } = read(written)
    expect({ props, errors }).toEqual({ props: {}, errors: [] })
    expect(warnings[0]).toMatchObject({ message: expect.stringContaining(message) })
  })
})

describe('an author is warned', () => {
  test('about an unknown prop, where it is, and which one it resembles', () => {
    expect(read({ titel: 'A' }, { colunms: 3 }).warnings).toEqual([
      { path: 'props.titel', message: expect.stringContaining('title') },
      { path: 'section.colunms', message: expect.stringContaining('columns') },
    ])
  })

  test('about an unknown prop of an object', () => {
    expect(pathsOf(read({ image: { src: '/a', wdith: 3 } }).warnings)).toEqual(['props.image.wdith'])
  })

  test('about a required prop that is missing', () => {
    const notes = { errors: [], warnings: [] }
    warnMissing(['title', 'items'], { title: 'A' }, 'props', notes)
    expect(notes.warnings).toEqual([{ path: 'props.items', message: 'is missing.' }])
    expect(pathsOf(read({ image: { alt: 'A' } }).warnings)).toContain('props.image.src')
  })
})

test.each(['/a', './a', '../a', '//a.example', 'https://a.example/', 'HTTP://a.example', 'a.png', 'a.jpeg'])(
  '%s looks like an address',
  (written) => expect(looksLikeUrl(written)).toBe(true),
)

test.each(['dark', 'a b', '', '🚀', 'v1.2', 'a.b.c', 'mailto:a'])(
  '%j does not look like an address',
  (written) => expect(looksLikeUrl(written)).toBe(false),
)

test('any JSON is read without an exception, and reading the result again changes nothing', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('/a.png', 'dark', 'grid', 3, ' ', '__proto__'),
  )
  const names = fc.constantFrom(
    ...Object.keys(PROPS),
    'heading',
    'headLine',
    '__proto__',
    'constructor',
    'toString',
  )
  fc.assert(
    fc.property(fc.dictionary(names, value), (written) => {
      const { props } = read(written as Record<string, JsonValue>)
      for (const name of Object.keys(props)) expect(Object.keys(PROPS)).toContain(name)
      const again = read(props)
      expect(again.props).toEqual(props)
      expect(again.errors).toEqual([])
    }),
    { numRuns: 300 },
  )
})

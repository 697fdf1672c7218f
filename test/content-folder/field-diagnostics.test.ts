import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fieldError, fieldErrors, fieldPath } from '../../src/content-folder/field-diagnostics.ts'
import { isParseIssue, readYaml, type YamlSource } from '../../src/content-folder/yaml-source.ts'
import { fieldName } from '../../src/domain/invalid-field.ts'

const Link = z.strictObject({ label: z.string(), href: z.string() })
const Fields = z.strictObject({
  title: z.string(),
  count: z.int().max(5).optional(),
  links: z.array(Link).max(2).default([]),
  author: z
    .union([z.string(), z.strictObject({ name: z.string(), avatar: z.string().optional() })])
    .optional(),
})

function sourceOf(yaml: string): YamlSource {
  const source = readYaml(yaml, 2)
  if (isParseIssue(source)) throw new Error(source.message)
  return source
}

function errorsOf(yaml: string) {
  const source = sourceOf(yaml)
  const { error } = Fields.safeParse(source.value)
  return error === undefined ? [] : fieldErrors(error, 'a.md', source, Fields)
}
const inOneLine = (yaml: string) =>
  errorsOf(yaml).map(
    ({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`,
  )

describe('errors in the fields of a file', () => {
  test('are all reported at once, each at its line and column in the file', () => {
    const yaml = 'title: 3\nlinks:\n  - label: A\n    href: 5\ncount: 9\n'
    expect(inOneLine(yaml)).toEqual([
      'a.md:2:1 QN-BAD-VALUE title must be a string.',
      'a.md:6:1 QN-BAD-VALUE count must be at most 5.',
      'a.md:5:5 QN-BAD-VALUE links[0].href must be a string.',
    ])
  })

  test('say that a field is required where there is none, also within a list', () => {
    expect(inOneLine('links: [{ label: A }]\n')).toEqual([
      expect.stringMatching(/ QN-MISSING-FIELD title is required\.$/),
      expect.stringMatching(/ QN-MISSING-FIELD links\[0\]\.href is required\.$/),
    ])
  })

  test.each([
    ['titel: A\ntitle: B\n', 'Unknown field "titel". Is it title?'],
    ['title: A\nlinks: [{ label: A, href: /a, hreff: /b }]\n', 'Unknown field "links[0].hreff". Is it href?'],
    ['title: A\nauthor: { name: A, avatr: /a }\n', 'Unknown field "author.avatr". Is it avatar?'],
    ['title: A\nsomething_else: 1\n', 'Unknown field "something_else".'],
  ])('suggest for %j the name that was meant', (yaml, message) => {
    expect(errorsOf(yaml).map((error) => error.message)).toEqual([expect.stringContaining(message)])
    expect(errorsOf(yaml)[0]?.code).toBe('QN-UNKNOWN-FIELD')
  })

  test('in a value of several forms are about the form that was written', () => {
    expect(inOneLine('title: A\nauthor: { avatar: /a }\n')).toEqual([
      expect.stringContaining('author.name is required.'),
    ])
    expect(errorsOf('title: A\nauthor: 3\n')).toHaveLength(1)
  })

  test('name no field of the language itself as a suggestion or as a value', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty'])
      expect(errorsOf(`title: A\n${name}: 1\n`)).toMatchObject([{ code: 'QN-UNKNOWN-FIELD', field: name }])
  })

  test('are errors with a place for whatever the file holds', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('title', 'count', 'links', 'author', 'other'), fc.jsonValue()),
        (value) => {
          const source = sourceOf(JSON.stringify(value))
          const { error } = Fields.safeParse(source.value)
          if (error === undefined) return
          const errors = fieldErrors(error, 'a.md', source, Fields)
          expect(errors.length).toBeGreaterThan(0)
          for (const { line, column, message, field } of errors) {
            expect([line, column].every((at) => (at ?? 0) >= 1)).toBe(true)
            expect(message).toMatch(/[.?]$/)
            expect(message).toContain(field ?? '')
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

test('an error about the whole file is a sentence of its own and has no field', () => {
  expect(
    fieldError('QN-BAD-YAML', 'a.yaml', sourceOf('- a\n'), [], 'The file must hold names.'),
  ).toMatchObject({
    message: 'The file must hold names.',
    field: null,
  })
})

test('the path of a field is read back from its name', () => {
  const step = fc.oneof(fc.nat({ max: 99 }), fc.stringMatching(/^[a-z_]{1,8}$/))
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z_]{1,8}$/), fc.array(step, { maxLength: 4 }), (first, rest) => {
      expect(fieldPath(fieldName([first, ...rest]))).toEqual([first, ...rest])
    }),
  )
})

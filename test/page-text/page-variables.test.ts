import { describe, expect, test } from 'vitest'
import { withVariables } from '../../src/page-text/page-variables.ts'
import { livePage } from '../support/live-page.ts'

const shown = (markdown: string) =>
  withVariables(livePage({ page: { type: 'docs', markdown } }).page, { version: '2.4' }).markdown

describe('variables in the Markdown of a page', () => {
  test('have their values in the body, and front matter is as it is written', () => {
    const front = '---\nauthor: "{{ version }}"\ncode: |\n  ```\n  {{ version }}\n---\n'
    expect(shown(`${front}Version {{ version }}.`)).toBe(`${front}Version 2.4.`)
    expect(shown(`\uFEFF${front}{{ version }}`)).toBe(`\uFEFF${front}2.4`)
    expect(shown(front)).toBe(front)
  })

  test.each([
    ['in a list', '- one\n\n  ```sh variables\n  get {{ version }}\n  ```\n'],
    ['as an item of a list', '- ```sh variables\n  get {{ version }}\n  ```\n'],
    ['in a quotation', '> ~~~sh variables\n> get {{ version }}\n> ~~~\n'],
    ['without an end', '```sh title="a" variables\nget {{ version }}'],
    ['with lines of shorter fences', '````sh variables\n```\nget {{ version }}\n```\n````\n'],
  ])('have their values in fenced code that says so, %s', (_, markdown) => {
    expect(shown(markdown)).toBe(markdown.replace('{{ version }}', '2.4'))
  })

  test.each([
    ['code that says nothing', '```sh\n{{ version }}\n```\n'],
    ['code of a language of this name', '```variables\n{{ version }}\n```\n'],
    ['code that shows such a fence', '````md\n```sh variables\n{{ version }}\n```\n````\n'],
    ['code with another name', '```sh variables2\n{{ version }}\n```\n'],
    ['a code span', 'A `{{ version }}`.'],
  ])('are as written in %s', (_, markdown) => {
    expect(shown(markdown)).toBe(markdown)
  })

  test('have their values in prose after an indented line of backticks', () => {
    expect(shown('a\n\n        ``` variables\n\n{{ version }}')).toBe('a\n\n        ``` variables\n\n2.4')
  })
})

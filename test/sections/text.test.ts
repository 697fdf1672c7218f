import { expect, test } from 'vitest'
import { normalizeSection } from '../../src/sections/normalize.ts'
import { sectionText } from '../../src/sections/text.ts'

function textOf(section: object): string {
  return sectionText(normalizeSection(section))
}

test('text counts; URLs, icons and choices do not', () => {
  const hero = {
    type: 'hero',
    title: 'Set in type',
    subtitle: 'A *wedge*',
    layout: 'center',
    image: { src: '/a.png', alt: 'a press' },
    actions: [{ text: 'Start', link: '/start', icon: 'arrow' }],
    note: 'No card needed',
  }
  expect(textOf(hero)).toBe('Set in type\n\nA *wedge*\n\nStart\n\nNo card needed')
})

test('the text of items counts', () => {
  const items = [
    { title: 'One', description: 'first', icon: 'x' },
    { title: 'Two', link_text: 'more', link: '/two' },
  ]
  expect(textOf({ type: 'cards', items })).toBe('One\n\nfirst\n\nTwo\n\nmore')
})

test('the visible text of an unknown section counts', () => {
  const section = {
    type: 'comparison',
    title: 'Questions',
    items: [{ question: 'Why?', answer: 'Because.', code: 'x' }],
    secret: 'no',
  }
  expect(textOf(section)).toBe('Questions\n\nWhy?\n\nBecause.')
})

test('a hidden section has no text', () => {
  expect(textOf({ type: 'hero', title: 'T', hidden: true })).toBe('')
})

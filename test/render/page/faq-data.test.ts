import { expect, test } from 'vitest'
import { faqData } from '../../../src/render/page/faq-data.ts'

test('the questions of all sections form one FAQPage, as plain text', () => {
  const faq = (question: string) => ({
    type: 'faqs',
    questions: { question, answer: 'In *time*; [see](/a).' },
  })
  expect(faqData([faq('One?'), { type: 'hero', title: 'T' }, faq('Two?')])).toEqual([
    {
      '@context': 'https://schema.org',
      '@type': 'FAQPage',
      mainEntity: ['One?', 'Two?'].map((name) => ({
        '@type': 'Question',
        name,
        acceptedAnswer: { '@type': 'Answer', text: 'In time; see.' },
      })),
    },
  ])
})

test('hidden sections and questions without answers are left out', () => {
  const items = [{ question: 'Why?', answer: 'So.' }]
  expect(faqData([{ type: 'faq', items, hidden: true }])).toEqual([])
  expect(
    faqData([
      { type: 'faq', items: [{ question: 'Why?' }] },
      { type: 'features', items },
    ]),
  ).toEqual([])
})

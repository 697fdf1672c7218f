import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { normalizeSection } from '../../sections/normalize.ts'
import { objectsIn, textIn } from '../../sections/values.ts'
import { markdownToText } from '../markdown/markdown-to-text.ts'

/**
 * FAQPage structured data for all `faq` sections of a page; empty when they have no questions. Source:
 * https://schema.org/FAQPage
 */
export function faqData(sections: readonly JsonValue[]): readonly JsonObject[] {
  const questions = sections.map(normalizeSection).flatMap(({ type, known, props }) => {
    const shown = known && type === 'faq' && props['hidden'] !== true
    return shown ? objectsIn(props, 'items').flatMap(questionData) : []
  })
  if (questions.length === 0) return []
  return [{ '@context': 'https://schema.org', '@type': 'FAQPage', mainEntity: questions }]
}

function questionData(item: JsonObject): JsonObject[] {
  const name = textIn(item, 'question')
  const answer = markdownToText(textIn(item, 'answer') ?? '')
  if (name === null || answer === '') return []
  return [{ '@type': 'Question', name, acceptedAnswer: { '@type': 'Answer', text: answer } }]
}

import type { FieldErrorCode } from '../../domain/invalid-field.ts'
import type { Words } from '../words/en.ts'

interface Phrase {
  readonly pattern: RegExp
  readonly text: string
}

const compiled = new WeakMap<Words, readonly Phrase[]>()

/**
 * A message of a service in the language of the dashboard. Without a phrase for it, the error of a field is named by
 * its code, and any other message is shown unchanged.
 */
export function translated(
  message: string,
  { words, code }: { words: Words; code?: FieldErrorCode | undefined },
): string {
  return phraseFor(message, words) ?? ((code !== undefined && words.refusals.fields[code]) || message)
}

/** Values of a phrase may be phrases themselves, such as the reason after a colon. */
function phraseFor(message: string, words: Words): string | null {
  for (const { pattern, text } of phrasesOf(words)) {
    const found = pattern.exec(message)
    if (found !== null)
      return filled(
        text,
        found.slice(1).map((value) => phraseFor(value, words) ?? value),
      )
  }
  return null
}

/** `{}` is the next value, and `{2}` the second one. */
function filled(text: string, values: readonly string[]): string {
  let next = 0
  return text.replaceAll(
    /\{(\d?)\}/g,
    (_, number) => values[number === '' ? next++ : Number(number) - 1] ?? '',
  )
}

/** Phrases with more text of their own come first: they are the closest. */
function phrasesOf(words: Words): readonly Phrase[] {
  const known = compiled.get(words)
  if (known !== undefined) return known
  const phrases = Object.entries(words.refusals.phrases)
    .sort(([a], [b]) => b.replaceAll('{}', '').length - a.replaceAll('{}', '').length)
    .map(([english, text]) => ({
      pattern: new RegExp(`^${english.split('{}').map(escaped).join('(.*?)')}$`, 's'),
      text,
    }))
  compiled.set(words, phrases)
  return phrases
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

// Splits text into the words of the search index. Runs on publish and in visitors' browsers, because an index is only
// found by the same words.

// Letters that Unicode does not decompose, and how people type them instead.
const LETTERS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', þ: 'th', ς: 'σ' }
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
// Accents, vowel points and other marks that writers often omit, and tatweel. Marks that are part of a script's
// letters, as in Thai, Hindi or kana, stay.
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+/g
const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
// Scripts that do not separate words by spaces, and Korean, whose words take endings.
const UNSPACED =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u
const PLAIN = /^[a-z0-9]+$/
// ASCII text needs no folding except case, and no splitting except at characters that are not letters or digits.
const SIMPLE = /^[\s -~]*$/
const LONGEST = 32

/** Normalizes text for comparison: removes differences of case, accents and width. */
export function folded(text) {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(LETTER, (letter) => LETTERS[letter])
    .normalize('NFC')
}

/** The words by which a text is indexed, in order, with repetitions; then its names. */
export function wordsIn(text) {
  const words = runs(text).flatMap((run) => (typeof run === 'string' ? run : [...pairs(run), run.at(-1)]))
  return text.includes('_') ? [...words, ...namesIn(text)] : words
}

/** The names of programs in a text, such as `site_routes`, as one word each. Their parts are words, too. */
export function namesIn(text) {
  const names = text.toLowerCase().match(/[a-z0-9]+(?:_[a-z0-9]+)+/g) ?? []
  return names.map((name) => name.replaceAll('_', '').slice(0, LONGEST))
}

/**
 * The words of a query, without its names. Each also finds longer words that start with it, except pairs of
 * characters.
 *
 * @returns {{ word: string, start: boolean }[]}
 */
export function wordsAsked(query) {
  return runs(query).flatMap((run) =>
    typeof run === 'string' || run.length === 1
      ? { word: String(run), start: true }
      : pairs(run).map((word) => ({ word, start: false })),
  )
}

/** The anchor that most headings have. The index omits it. */
export function usualAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

// Each run is a word, or a list of characters in scripts that do not separate words by spaces.
function runs(text) {
  if (SIMPLE.test(text))
    return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.slice(0, LONGEST))
  const found = []
  for (const [whole] of folded(text).matchAll(RUN)) {
    if (PLAIN.test(whole)) found.push(whole.slice(0, LONGEST))
    else
      whole.split(UNSPACED).forEach((part, index) => {
        if (index % 2 === 1) found.push([...part])
        else if (part) found.push([...part].slice(0, LONGEST).join(''))
      })
  }
  return found
}

function pairs(run) {
  return run.slice(1).map((sign, index) => run[index] + sign)
}

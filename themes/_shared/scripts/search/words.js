// What counts as a word in the search index. Runs where sites are published and in visitors' browsers:
// an index is only found by the very same words.

// Letters that no decomposition takes apart, as they are also typed.
const LETTERS = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', þ: 'th', ς: 'σ' }
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
// Accents, vowel points and other signs that are left out as often as not; tatweel. Marks that belong to
// the letters of a script, as in Thai, Hindi or kana, stay.
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]+/g
const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
// Scripts whose words no space parts, and Korean, whose words take endings.
const UNSPACED =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u
const PLAIN = /^[a-z0-9]+$/
// No letter beyond these: nothing to fold but case, and nothing to part but what is no letter.
const SIMPLE = /^[\s -~]*$/
const LONGEST = 32

/** Text as it is compared: without case, accents and width. */
export function folded(text) {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(MARKS, '')
    .replace(LETTER, (letter) => LETTERS[letter])
    .normalize('NFC')
}

/** The words that find a text, in its order and as often as they stand there. */
export function wordsIn(text) {
  return runs(text).flatMap((run) => (typeof run === 'string' ? run : [...pairs(run), run.at(-1)]))
}

/**
 * The words a query asks for. The start of a word finds it too, but for pairs of signs.
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

/** The anchor most headings have; it need not be told then. */
export function usualAnchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

// Each a list of signs where no space parts words, else a word.
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

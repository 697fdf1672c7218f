import { describe, expect, test } from 'vitest'
import { withoutInlineMarks } from '../../src/page-text/inline-marks.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

describe('a short form is shown', () => {
  test.each([
    [':tada:', '🎉'],
    [':tada::rocket:!', '🎉🚀!'],
    ['(:+1:) :100:', '(👍) 💯'],
    ['很好:tada:吧', '很好🎉吧'],
    ['==marked==', 'marked'],
    ['a ==marked== word, ==two of them==.', 'a marked word, two of them.'],
    ['这是==重点==内容', '这是重点内容'],
    ['==with `==` in it==', 'with `==` in it'],
    ['==:tada:==', '🎉'],
    ['H~2~O', 'H2O'],
    ['x^2^ + y^n+1^', 'x2 + yn+1'],
    ['SO~4~^2−^', 'SO42−'],
    ['M^lle^, v~макс~, a~i,j~', 'Mlle, vмакс, ai,j'],
    ['x^**2**^', 'x**2**'],
    ['the 3^rd^', 'the 3rd'],
    ['m^平方^', 'm平方'],
  ])('for the marks %j', (written, shown) => {
    expect(withoutInlineMarks(written)).toBe(shown)
  })
})

describe('text stays as it is typed', () => {
  test.each([
    ['times', '10:30:45 and 10:100:20'],
    ['words between colons', 'a:b:c key:tada:value'],
    ['unknown names', ':no_such_emoji: :material-account:'],
    ['comparisons', 'a == b and c == d, x==y==z'],
    ['lines of signs', '===a=== ==== =='],
    ['powers', '2^10 and 3^4'],
    ['faces', '^_^ (^^) ^o^'],
    ['footnotes', 'a[^1]^x and b[^2]'],
    ['a caret before a word', '^caret^'],
    ['spaces in a raised text', 'a^b c^'],
    ['struck out words', '~gone~ ~~gone~~ a~~b~~c'],
    ['ranges', '1~2, 3~4; 第1~3章、第5~7章; 1~2日,3~4日; 9:00~18:00'],
    ['code', '`:tada:` `==a==` ``H~2~O``'],
    ['addresses', 'https://a.example/:tada:/x^2^/H~2~O/==a== www.a.example/:tada:'],
    ['autolinks and tags', '<https://a.example/==a==> <b title="==a== :tada:">'],
    ['targets of links', '[a](/x^2^/:tada:)'],
    ['mail addresses', 'a@b.example:tada:'],
    ['escaped signs', '\\:tada: \\==a== x\\^2^'],
    ['short names of old files', 'PROGRA~1 and DOCUME~1'],
  ])('for the marks of %s', (_, written) => {
    expect(withoutInlineMarks(written)).toBe(written)
  })
})

test.each([':a', '==', ' ==a', 'a^', 'a~', '1~1 ', '<a ', '](', '`==a== ', ':tada:', 'x^2^ '])(
  'a text of %j alone is shown in time that grows with it',
  (piece) => {
    const textOf = (size: number) => piece.repeat(size / piece.length)
    // Objects of shorter texts are gone before memory is cleaned up, which longer ones pay for.
    expect(growthOf(textOf, withoutInlineMarks, 128_000)).toBeLessThan(LINEAR_GROWTH)
  },
)

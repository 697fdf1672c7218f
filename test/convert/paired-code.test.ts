import { describe, expect, test } from 'vitest'
import { fenceHugoPairs, fenceLiquidPairs } from '../../src/convert/body/paired-code.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

const ignore = () => {}

describe('code between unknown paired tags', () => {
  test('ends at a closing tag of the same name, not of a name that begins alike', () => {
    const hugo = '{{< codes >}}\na = 1\n{{< /code >}}\n'
    const liquid = '{% codes %}\na = 1\n{% endcode %}\n'
    expect(fenceHugoPairs(hugo, ignore)).toBe(hugo)
    expect(fenceLiquidPairs(liquid, ignore)).toBe(liquid)
  })

  test('stays code inside of tags whose text is prose, and is reported on its line', () => {
    const lines: number[] = []
    const body =
      '{{< tabs >}}\n{{< frame >}}\nThis is a sentence of some words.\nAnd one more of them.\n{{< code >}}\na = 1\n{{< /code >}}\n{{< /frame >}}\n{{< /tabs >}}\n'
    expect(fenceHugoPairs(body, (line) => lines.push(line))).toBe(
      '{{< tabs >}}\n{{< frame >}}\nThis is a sentence of some words.\nAnd one more of them.\n```\na = 1\n```\n{{< /frame >}}\n{{< /tabs >}}\n',
    )
    expect(lines).toEqual([4])
  })

  test.each([
    ['a fence', '```\n{{< code >}}\na = 1\n{{< /code >}}\n```\n'],
    ['a fence, up to a tag outside of it', '```\n{{< code >}}\n```\n\na = 1\n{{< /code >}}\n'],
    ['a code span', '`\n{{< code >}}\na = 1\n{{< /code >}}`\n'],
  ])('is not touched in %s', (_, body) => {
    expect(fenceHugoPairs(body, ignore)).toBe(body)
    const liquid = body.replaceAll('{{< /code >}}', '{% endcode %}').replaceAll('{{< code >}}', '{% code %}')
    expect(fenceLiquidPairs(liquid, ignore)).toBe(liquid)
  })

  test('is found after a backtick of another paragraph', () => {
    const body = 'One ` alone.\n\n{{< code lang="go" >}}\na = 1\n{{< /code >}}\n\nAnother ` one.\n'
    expect(fenceHugoPairs(body, ignore)).toBe('One ` alone.\n\n```go\na = 1\n```\n\nAnother ` one.\n')
  })

  test.each<[string, (size: number) => string]>([
    ['tags that are not closed', (size) => '{{< box >}}\n'.repeat(size / 12)],
    [
      'nested tags',
      (size) => `${'{{< box >}}\n'.repeat(size / 12)}text\n${'{{< /box >}}\n'.repeat(size / 12)}`,
    ],
    ['many pairs', (size) => '{{< code >}}\na = 1\n{{< /code >}}\n'.repeat(size / 33)],
    ['a long line', (size) => `{{< code >}}\n${'a = b, '.repeat(size / 7)}:\n{{< /code >}}\n`],
    ['a long word', (size) => `{{< code >}}\na = ${'a-'.repeat(size / 2)}:\n{{< /code >}}\n`],
    ['blanks', (size) => `{{< code >}}\n${' '.repeat(size)}x\n{{< /code >}}\n`],
    ['a long tag', (size) => `{{< code ${' /'.repeat(size / 2)}`],
    ['a long name', (size) => `{{< ${'a'.repeat(size)}`],
  ])('is found in time that grows with the text: %s', (_, textOf) => {
    const both = (text: string) =>
      fenceLiquidPairs(
        text.replaceAll('{{< /', '{% end').replaceAll('{{<', '{%').replaceAll('>}}', '%}'),
        ignore,
      ) + fenceHugoPairs(text, ignore)
    expect(growthOf(textOf, both)).toBeLessThan(LINEAR_GROWTH)
  })
})

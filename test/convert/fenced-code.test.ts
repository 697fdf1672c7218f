import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fenceCode } from '../../src/convert/body/fenced-code.ts'

function fenced(body: string) {
  const reports: (readonly [line: number, code: string, message: string])[] = []
  const text = fenceCode(body, (...report) => reports.push(report))
  return { text, reports }
}
const textOf = (body: string) => fenced(body).text

describe('a block of code', () => {
  test.each([
    ['{% highlight js %}\nlet a\n{% endhighlight %}', '```js\nlet a\n```'],
    ['{%- highlight c++ -%}\nint a;\n{%- endhighlight -%}\n', '```c++\nint a;\n```\n'],
    ['{{< highlight go >}}\nvar a\n{{< /highlight >}}', '```go\nvar a\n```'],
    ['{{% highlight lang="go" %}}\nvar a\n{{% /highlight %}}', '```go\nvar a\n```'],
    ['{% highlight js %}let a{% endhighlight %}', '```js\nlet a\n```'],
    ['{% highlight js linenos %}\na\n{% endhighlight %}', '```js showLineNumbers\na\n```'],
    [
      '{{< highlight go "linenos=table,hl_lines=2 4-6" >}}\na\n{{< /highlight >}}',
      '```go showLineNumbers {2,4-6}\na\n```',
    ],
    ['{{< highlight go "linenos=false" >}}\na\n{{< /highlight >}}', '```go\na\n```'],
    ['{{< highlight go "hl_inline=true" >}}a `b`{{< /highlight >}}', '`` a `b` ``'],
    [
      '```go {linenos=true hl_lines=[2,"4-5"] title="a.go"}\na\n```',
      '```go title="a.go" showLineNumbers {2,4-5}\na\n```',
    ],
    ['~~~ {linenos=true}\na\n~~~', '~~~text showLineNumbers\na\n~~~'],
  ])('is converted from %j to %j', (written, converted) => {
    expect(textOf(written)).toBe(converted)
  })

  test('stays within the list or the quote that it is in', () => {
    expect(textOf('- {% highlight js %}\n  let a\n  {% endhighlight %}\n')).toBe('- ```js\n  let a\n  ```\n')
    expect(textOf('> {% highlight js %}\n> let a\n> {% endhighlight %}\n')).toBe('> ```js\n> let a\n> ```\n')
  })

  test('starts on a line of its own, and so does the text that follows it', () => {
    expect(textOf('Text {% highlight js %}a{% endhighlight %} and more')).toBe(
      'Text \n```js\na\n```\n and more',
    )
  })

  test('is left alone when it is fenced already, whatever is written in it', () => {
    for (const body of ['```\n{# a #}\n```\n', '```js {1}\na\n```\n', '~~~ {.js}\na\n~~~\n'])
      expect(textOf(body)).toBe(body)
    const nested = '````md {linenos=true}\n```go {linenos=true}\na\n```\n````'
    expect(textOf(nested)).toContain('\n```go {linenos=true}\n')
  })

  test('has more backticks around it than within, so that it ends where it ended', () => {
    const code = fc.array(fc.constantFrom('`', '``', '```', '~', 'a', ' ', '\n', '{', '#'), { maxLength: 20 })
    fc.assert(
      fc.property(
        code.map((pieces) => pieces.join('')),
        (written) => {
          const text = textOf(`{% highlight js %}\n${written}\n{% endhighlight %}`)
          const [, fence = '', inner = ''] = /^(`{3,})js\n([\s\S]*)\n\1$/.exec(text) ?? []
          expect(fence).not.toBe('')
          expect(inner).not.toContain(fence)
          expect(inner.trimEnd()).toBe(written.trimEnd())
        },
      ),
    )
  })

  test('is reported at its line when it begins with another line number', () => {
    const { reports } = fenced('One\n\n{% highlight js linenostart=7 %}\na\n{% endhighlight %}\n')
    expect(reports).toEqual([
      [2, 'QN-PARTLY-CONVERTED', '`linenostart=7` is left out: line numbers begin at 1.'],
    ])
    expect(fenced('```go {linenostart=1}\na\n```').reports).toEqual([])
  })
})

test('prose without such tags is the same afterwards, whatever it holds', () => {
  const piece = fc.constantFrom(
    '{%',
    '%}',
    '{{<',
    '>}}',
    'highlight',
    'js',
    '\n',
    '- ',
    '> ',
    '{',
    '}',
    'text',
    '/',
  )
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join(' ')),
      (body) => {
        if (!/endhighlight|\/\s*highlight/.test(body))
          expect(fenced(body)).toEqual({ text: body, reports: [] })
      },
    ),
  )
})

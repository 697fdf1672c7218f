/**
 * Blocks that the menu inserts, by the names of their words. A caret is at `|`; cells and names are in the language of the
 * writer.
 *
 * @param {{ column: string }} words
 */
export function blockTexts({ column }) {
  return {
    heading: '## |',
    subheading: '### |',
    list: '- |',
    numbered: '1. |',
    task: '- [ ] |',
    quote: '> |',
    code: '```|\n\n```',
    table: `¦ ${column} 1| ¦ ${column} 2 ¦\n¦ --- ¦ --- ¦\n¦  ¦  ¦`,
    callout: ':::note\n|\n:::',
    embed: '::embed[|]{url=""}',
    rule: '---\n\n|',
  }
}

/** Puts a block in the place of a range, which is a line without other text. */
export function insertBlock(view, text, { from, to }) {
  const insert = text.replace('|', '').replaceAll('¦', '|')
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + text.indexOf('|') },
    scrollIntoView: true,
    userEvent: 'input',
  })
}

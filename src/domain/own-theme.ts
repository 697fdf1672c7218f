import type { Page } from './page.ts'

/** The theme that a page states in its `config`; null if it has that of the project. */
export function ownTheme({ type, config }: Pick<Page, 'type' | 'config'>): string | null {
  const theme = type === 'page' ? config['theme'] : null
  return typeof theme === 'string' ? theme : null
}

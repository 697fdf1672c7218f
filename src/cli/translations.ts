import { Command } from 'commander'
import { ConfigError } from '../app/config.ts'
import type { TranslationGap } from '../content-folder/translation-report.ts'
import { ServiceError } from '../domain/errors.ts'
import { printOutcome } from './administration.ts'
import { failWithErrors } from './failures.ts'
import { folderArgument } from './folder-argument.ts'
import { count } from './format-numbers.ts'

export function translationsCommand(): Command {
  return new Command('translations')
    .description('list pages that are not translated, and translations that are older than their page')
    .argument('[folder]', 'content folder', '.')
    .option('--check', 'fail if a page is listed', false)
    .option('--json', 'print one JSON object', false)
    .addHelpText(
      'after',
      `
Compares the pages of the default language with those of each other language of
the setting locales. A page is as old as its field last_updated, else its last
commit, else its file. Drafts do not count.

Exit codes: 0 also if pages are listed, 1 with --check or for a broken folder.

Examples:
  quoin translations
  quoin translations ./site --check
`,
    )
    .action(async (path: string, { check }: { readonly check: boolean }, command: Command) => {
      const folder = folderArgument(path)
      const { readSite } = await import('../content-folder/read-site.ts')
      const { site, errors } = await readSite(folder)
      if (errors.length > 0) failWithErrors(command, errors, folder, 'nothing was compared.')
      const { locales = [], siteRoutes = {}, versions = [] } = site.settings
      if (locales.length < 2)
        throw new ConfigError(
          'The site has no languages to compare. Write two or more in locales of site.yaml.',
        )
      const { fileDates } = await import('../site-build/file-dates.ts')
      const { translationGaps } = await import('../content-folder/translation-report.ts')
      const datesOf = fileDates(folder)
      const pages = site.pages.filter(({ draft }) => !draft)
      const gaps = translationGaps(pages, { locales, siteRoutes, versions }, ({ source, config }) => {
        const stated = config['last_updated']
        return typeof stated === 'string' ? stated : datesOf(source).edited
      })
      const ofState = (state: TranslationGap['state']) => gaps.filter((gap) => gap.state === state).length
      const [missing, outdated] = [ofState('missing'), ofState('outdated')]
      const summary = `${count(missing, 'missing translation')}, ${count(outdated, 'outdated translation')}.`
      const failure = check && gaps.length > 0 ? new ServiceError('validation_error', summary) : null
      printOutcome(command, failure, { missing, outdated, pages: gaps }, [...gaps.map(gapLine), summary])
    })
}

function gapLine({ state, locale, original, translation }: TranslationGap): string {
  return state === 'missing'
    ? `${locale}  missing   ${original}`
    : `${locale}  outdated  ${translation} is older than ${original}`
}

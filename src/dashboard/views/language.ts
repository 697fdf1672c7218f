import { setLanguageCookie } from '../frame/language-cookie.ts'
import { returnPath } from '../frame/return-path.ts'
import type { DashboardRouter, ViewPorts } from '../ports.ts'
import { LANGUAGES } from '../words/languages.ts'

/** The choice of a language, which this browser keeps. */
export function languageViews(router: DashboardRouter, { frame }: ViewPorts): void {
  router.post('/language', (ctx) => {
    const { form, isSecure } = ctx.state
    const language = LANGUAGES.find(({ lang }) => lang === form.get('language'))
    if (language !== undefined) setLanguageCookie(ctx, language.lang, isSecure)
    frame.goTo(ctx, returnPath(form.get('next')))
  })
}

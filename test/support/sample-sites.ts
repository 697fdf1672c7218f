import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'

/** Content folders that tests build and publish as a whole, by the name of their golden site. */
export const SAMPLE_SITES: Readonly<
  Record<'handbook' | 'languages' | 'minimal' | 'product' | 'quoin' | 'reuse', string>
> = {
  handbook: join(PACKAGE_ROOT, 'fixtures/sites/handbook'),
  languages: join(PACKAGE_ROOT, 'fixtures/sites/languages'),
  minimal: join(PACKAGE_ROOT, 'fixtures/sites/minimal'),
  // Two versions in two languages, and an API reference from its description.
  product: join(PACKAGE_ROOT, 'fixtures/sites/product'),
  // Components, includes, code from files, variables and a glossary.
  reuse: join(PACKAGE_ROOT, 'fixtures/sites/reuse'),
  // The documentation of Quoin, which is also the demo.
  quoin: join(PACKAGE_ROOT, 'templates/docs-site'),
}

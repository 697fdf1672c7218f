/*
 * Names of classes that authors may give their HTML, for custom CSS and for a theme of their own. Names that Quoin's
 * pages and scripts use are reserved: an element with such a class in a text would be drawn over the page, or taken for
 * a part of it.
 */

/** Every class in the style sheets of `themes/`; a test compares them. */
const RESERVED = [
  'actions added alert all-pages anchor announcement article article-body article-head author author-box avatar backdrop badge',
  'band-accent band-dark band-default band-muted breadcrumbs button button-link button-primary',
  'button-secondary byline byline-facts card card-body card-icon card-image card-link card-more card-title',
  'cards carousel chips code columns-1 columns-2 columns-3 columns-4 contact contact-form contact-short',
  'contains-task-list content content-left content-media content-none content-right content-text content-top',
  'copy cover diagram cta cta-banner cta-card cta-media cta-panel cta-split cta-text data-footnote-backref docs',
  'docs-body docs-head docs-layout docs-main docs-nav embed entry entry-title embed-title excerpt faq faq-columns features features-alternating features-grid',
  'features-list field field-check fields figure figures footer-about footer-end footer-group footer-name',
  'footer-title footer-top footnotes form generic gallery gallery-carousel gallery-masonry generic-body generic-media',
  'generic-split has-backdrop has-image hero hero-background hero-center hero-media hero-split icon item item-body',
  'item-fields item-head lead line listing listing-head logo-row logos logos-grey logos-mono marked member members',
  'menu menu-icon menu-label menu-text',
  'missing nav-more nav-page-layout nav-text nav-tree not-found not-found-code note numbered page-actions',
  'page-body page-copy page-edit page-title page-tools page-updated pager pager-next pager-previous pager-word pictures pictures-2',
  'preview pricing pictures-3 pictures-4 pictures-5 places plan plan-head plan-highlighted plan-text plans position post-line',
  'post-lines posts price prose questions quote rating reach related removed required scheme search section series',
  'section-head section-title sidebar signed site-bar site-footer site-header site-icon site-mark site-name site-nav',
  'skip-link social sr-only stats step step-date step-image step-list step-mark steps steps-line steps-row subtitle',
  'billing card-wide comparison features-bento hero-code hero-window logos-marquee marquee marquee-pause price-monthly',
  'price-yearly shot shot-tab shots testimonials-masonry title-gradient',
  'tab tab-label tab-list table-scroll tabs tag tagline tags task-list-item team testimonials-one ticks toc toc-3',
  'toc-list toc-title toggle walk wide wrap zoom zoomed',
  'badge-caution badge-important badge-note badge-tip badge-warning field-entry field-list field-name file-tree',
  'posts-period switch switch-word version-banner',
  'terminal text-column text-columns tile tile-icon term term-text tile-title tiles tree-file tree-folder',
].flatMap((line) => line.split(' '))

/** Prefixes of classes that rendering sets. */
const RESERVED_KINDS = ['hl-', 'language-', 'tml-', 'alert-', 'align-', 'search-', 'user-content-']

/** Matches a class that an element of a text may have. */
export const AUTHOR_CLASS = new RegExp(
  `^(?!(?:${RESERVED.join('|')})$|${RESERVED_KINDS.join('|')})[A-Za-z][\\w-]{0,63}$`,
)

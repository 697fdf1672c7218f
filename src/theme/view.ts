import type { JsonObject } from '../domain/json.ts'

/**
 * Data for templates. Every string whose name ends in `html` is sanitised HTML, to be printed raw (`<%~ %>`). All
 * others are escaped when printed (`<%= %>`). URLs among them are checked and relative to the page. Absent values are
 * null; only values under names of authors (`config`, `data`, own props) are undefined where absent.
 */

/**
 * Turns an address that an author wrote, e.g. in `config`, into one that may be printed: checked, and relative to the
 * page when it leads to the site. Null for an address that is not allowed, and for anything but a text.
 */
export type Href = (address: unknown) => string | null

/** The sanitised HTML of an author's Markdown text; empty for anything but a text. Print it with `<%~ %>`. */
export type MarkdownHtml = (text: unknown) => string

export interface LinkView {
  readonly label: string
  readonly href: string
  /** Points to another site. */
  readonly external: boolean
  /** The page being rendered is at this link or below it. */
  readonly current: boolean
  /** The icon as text, drawing or image; null when there is none. */
  readonly iconHtml: string | null
  /** The language of the target page, where it is not that of the document; null otherwise. */
  readonly hreflang: string | null
}

/** A link in a menu of the header. */
export interface MenuLinkView extends LinkView {
  readonly description: string | null
}

/** A link, button or menu of the header. The address of a menu is that of its first link, for themes without menus. */
export interface NavLinkView extends LinkView {
  readonly style: 'link' | 'button'
  /** The links of a menu; empty for others. */
  readonly links: readonly MenuLinkView[]
}

/** A profile of the owner on another service. */
export interface SocialLinkView {
  readonly label: string
  readonly href: string
  readonly iconHtml: string
  /** The same as in `LinkView`. */
  readonly hreflang: string | null
}

export interface ImageView {
  readonly src: string
  readonly alt: string
  readonly width: number | null
  readonly height: number | null
  /** Variant for dark mode. */
  readonly dark: string | null
}

export interface ActionView {
  readonly text: string
  readonly href: string
  readonly variant: 'primary' | 'secondary' | 'link'
  readonly external: boolean
  /** A short text or emoji; null for a name and for an image. */
  readonly icon: string | null
  /** The icon as text, drawing or image; null when there is none. */
  readonly iconHtml: string | null
}

/** An icon of the site: `<link rel="icon">` or `apple-touch-icon`. */
export interface IconView {
  readonly rel: 'icon' | 'apple-touch-icon'
  readonly href: string
  /** The type; null where the file states it. */
  readonly type: string | null
  readonly sizes: string | null
}

/** An image for link previews: a JPEG or PNG. Null where it is on another site. */
export interface SocialImageView {
  /** Absolute URL. */
  readonly url: string
  readonly type: string | null
  readonly width: number | null
  readonly height: number | null
  readonly alt: string
}

/** Data of `<head>`, the same for all layouts. */
export interface HeadView {
  /** Content-Security-Policy; null when the owner's custom HTML may need anything. */
  readonly policy: string | null
  /** Text of `<title>`, including the site's name. */
  readonly title: string
  readonly description: string | null
  readonly keywords: string | null
  readonly robots: string | null
  /** Absolute URL. */
  readonly canonical: string
  /** The page in each of its languages, if it has several: absolute URLs. */
  readonly alternates: readonly { readonly hreflang: string; readonly href: string }[]
  readonly ogTitle: string
  readonly ogType: 'website' | 'article'
  /** Publish date of an article, ISO 8601. */
  readonly published: string | null
  /** Date of an article's last edit as the author wrote it, ISO 8601. */
  readonly modified: string | null
  /** The image for link previews; null for none. */
  readonly socialImage: SocialImageView | null
  /** URL of the page as Markdown; null for documents without it. */
  readonly markdown: string | null
  /** URL of an item's fields as JSON; null for other types. */
  readonly json: string | null
  /** URL of the Atom feed of the site, on a list of a tag of its own; null in Data Mode. */
  readonly feed: string | null
  /** JSON-LD documents, safe as text of a `<script>`. */
  readonly structuredData: readonly string[]
  /** URL of the image that the setting names; null where the icons are generated. */
  readonly favicon: string | null
  readonly icons: readonly IconView[]
  /** URL of the web app manifest. */
  readonly manifest: string
  /** Colours of the browser around the page, each with a media query; null for any. */
  readonly themeColours: readonly { readonly colour: string; readonly media: string | null }[]
  readonly themeStyle: string
  /** URL of the style of sections and cards, which documents with any link before `themeStyle`. */
  readonly sectionStyle: string
  /** URL of the owner's custom CSS; null when there is none. */
  readonly customStyle: string | null
  readonly script: string
  /**
   * Text of a `<script type="speculationrules">`, which lets browsers load a page of the site while the pointer rests
   * on its link. The policy allows this text alone.
   */
  readonly prefetchRules: string
  /** URL of the theme's own `script.js`; null when it has none. */
  readonly ownScript: string | null
  readonly analytics: { readonly script: string; readonly id: string } | null
  /** URL of the script that reports visits to the site itself; null on a site that does not count them. */
  readonly visits: string | null
  /** The owner's custom HTML, printed raw at the end of `<head>`. */
  readonly customHeadHtml: string
  /** Text of a `<style>` that sets the branding's `--brand` (a colour) and `--brand-font` (font families). */
  readonly brandStyle: string | null
}

/** A link to the page in a language, or to the front page of that language where the page has no translation. */
export interface LanguageView {
  /** BCP 47. */
  readonly code: string
  /** The name of the language in itself. */
  readonly label: string
  readonly dir: 'ltr' | 'rtl'
  readonly href: string
  /** The document is in this language. */
  readonly current: boolean
}

/** A link to the page in a version, or to the front page of that version where it lacks the page. */
export interface VersionView {
  readonly name: string
  readonly label: string
  readonly href: string
  /** The document is in this version. */
  readonly current: boolean
  readonly latest: boolean
}

export interface SiteView {
  readonly name: string
  /** URL prefix of the theme's own files, which `it.asset` adds. */
  readonly filesHref: string
  /** All templates have it as `it.href`. */
  readonly href: Href
  /**
   * Values by name from the folder `data/` or the setting `data`, as written. Links in them are not checked, and texts
   * are plain. All templates have it as `it.data`.
   */
  readonly data: JsonObject
  /** All templates have it as `it.markdown`. */
  readonly markdown: MarkdownHtml
  /** URL of the home of the language of the document. */
  readonly homeHref: string
  /** URL of the top of the site, for scripts that load its files. */
  readonly rootHref: string
  /** The versions of what the page documents, for a switch; empty for a page in no version. */
  readonly versions: readonly VersionView[]
  /** On a page of an old version, the latest one; null for others. */
  readonly latestVersion: { readonly label: string; readonly href: string | null } | null
  /**
   * The part of the site that search covers: the tag of a language, `@` and the name of a version; empty for
   * everything.
   */
  readonly searchScope: string
  /** The languages of the site, for a switch; empty for a site in one language. */
  readonly languages: readonly LanguageView[]
  /** URL of the image that stands for the site's name; null for none. */
  readonly logo: string | null
  /** URL of the logo on dark pages; null for the same. */
  readonly logoDark: string | null
  /** URL of the image next to the site's name, its icon; null for none. */
  readonly mark: string | null
  /** Loaded on first use of the search dialog. It finds the index from `rootHref`. */
  readonly search: {
    readonly script: string
    readonly style: string
    /** The script that finds forms of words in the language of the document; null if there is none. */
    readonly stemmer: string | null
  }
  /** A line above the header; null when there is none. */
  readonly announcement: {
    readonly text: string
    readonly href: string | null
    readonly external: boolean
    /** The same as in `LinkView`. */
    readonly hreflang: string | null
    /** When it ends, ISO 8601 UTC; null for one without an end. */
    readonly until: string | null
  } | null
  readonly navLinks: readonly NavLinkView[]
  readonly footer: {
    readonly text: string | null
    readonly copyright: string | null
    /** Links without a group form a group without a title. */
    readonly groups: readonly { readonly title: string | null; readonly links: readonly LinkView[] }[]
    readonly social: readonly SocialLinkView[]
    /** Links next to the copyright line. */
    readonly legal: readonly LinkView[]
  }
}

export interface Heading {
  /** 2 or 3. */
  readonly depth: number
  readonly id: string
  readonly text: string
}

export interface NavNodeView {
  readonly title: string
  readonly href: string | null
  readonly badge: string | null
  /** The icon as text, drawing or image; null when there is none. */
  readonly iconHtml: string | null
  readonly current: boolean
  /** True when the current page is below this node, which is then expanded. */
  readonly open: boolean
  readonly children: readonly NavNodeView[]
  /** True when further children exist, which the script loads. */
  readonly more: boolean
}

/** A link to another page of the site, e.g. in breadcrumbs. */
export interface StepView {
  readonly title: string
  /** The URL of its page; null for a group without one. */
  readonly href: string | null
}

/** The navigation around a docs page. */
export interface DocsView {
  /** The part of the navigation that the page shows: the levels above it, the pages near it, and its children. */
  readonly tree: readonly NavNodeView[]
  /** The pages and groups above this page, from the top. */
  readonly breadcrumbs: readonly StepView[]
  readonly previous: StepView | null
  readonly next: StepView | null
  /** URL of the subroute's navigation file, for the script. */
  readonly navFile: string
  /** URL of the page that lists all docs pages, for readers without JavaScript. */
  readonly navPage: string
}

export interface SectionView {
  /** Canonical name, e.g. `hero`. Unknown types keep their own name. */
  readonly type: string
  /** HTML id, unique on the page. */
  readonly id: string
  /** Language of the page, BCP 47. */
  readonly lang: string
  /** The same as in `SiteView`. */
  readonly filesHref: string
  /** The same as in `SiteView`. */
  readonly href: Href
  /** The same as in `SiteView`. */
  readonly data: JsonObject
  /** The same as in `SiteView`. */
  readonly markdown: MarkdownHtml
  /** 1 when the section is a hero and the first one of its page, else 2. */
  readonly headingLevel: 1 | 2
  readonly title: string | null
  /** Inline HTML. */
  readonly subtitleHtml: string | null
  readonly tagline: string | null
  readonly actions: readonly ActionView[]
  readonly background: 'default' | 'muted' | 'accent' | 'dark'
  readonly backgroundImage: string | null
  readonly align: 'left' | 'center'
  /** Props of the section's type; see `HeroProps` and the following types. */
  readonly props:
    | HeroProps
    | FeaturesProps
    | CtaProps
    | ContentProps
    | PricingProps
    | TestimonialsProps
    | FaqProps
    | StatsProps
    | LogosProps
    | StepsProps
    | GalleryProps
    | TeamProps
    | ContactProps
    | PostsProps
    | GenericProps
    | OwnProps
}

/**
 * Props of a type that only the theme has: everything that the author wrote, under names in snake_case. As in `config`,
 * what was not written is undefined, links are not checked, and texts are plain.
 */
export type OwnProps = JsonObject

/** A component in a Markdown text, for `components/{name}.eta`. */
export interface ComponentView {
  readonly name: string
  /** HTML id, unique on the page. */
  readonly id: string
  /** Language of the page, BCP 47. */
  readonly lang: string
  /** The same as in `SiteView`. */
  readonly filesHref: string
  /**
   * A value for each attribute of the schema; null for one that is neither written nor has a default. Addresses are
   * checked. An attribute `icon` of the type `icon` also has its drawing, `iconHtml`.
   */
  readonly attributes: ComponentAttributes
  /** The text in brackets, inline HTML; null for none. */
  readonly labelHtml: string | null
  /** The Markdown between the ends of the component, as HTML; empty for none. */
  readonly html: string
}

/** Values of the attributes of a component, by name. */
export type ComponentAttributes = Readonly<Record<string, string | number | boolean | null>>

export interface HeroProps {
  readonly image: ImageView | null
  /** URL of a video file. */
  readonly video: string | null
  /** Code next to the text, as highlighted HTML. */
  readonly codeHtml: string | null
  readonly layout: 'split' | 'center' | 'background'
  /** `window` draws the frame of a window around the image. */
  readonly frame: 'none' | 'window'
  readonly titleStyle: 'plain' | 'gradient'
  readonly noteHtml: string | null
}

export interface CardView {
  readonly title: string | null
  readonly html: string | null
  readonly image: ImageView | null
  readonly href: string | null
  readonly linkText: string | null
  readonly external: boolean
  /** A short text or emoji; null for a name and for an image. */
  readonly icon: string | null
  /** The icon as text, drawing or image; null when there is none. */
  readonly iconHtml: string | null
  /** Takes two columns of a bento grid. */
  readonly wide: boolean
}

export interface FeaturesProps {
  readonly items: readonly CardView[]
  readonly columns: 1 | 2 | 3 | 4
  readonly layout: 'grid' | 'bento' | 'list' | 'alternating'
}

export interface CtaProps {
  readonly image: ImageView | null
  readonly layout: 'banner' | 'card' | 'split'
}

export interface ContentProps {
  readonly html: string | null
  readonly image: ImageView | null
  /** URL of a video file. */
  readonly video: string | null
  /** Position of image or video; `none` when there is neither. */
  readonly imagePosition: 'left' | 'right' | 'top' | 'none'
}

export interface PricingProps {
  readonly plans: readonly PlanView[]
  /** A table that compares the plans. */
  readonly comparisonHtml: string | null
  readonly noteHtml: string | null
}

export interface PlanView {
  readonly name: string | null
  readonly badge: string | null
  /** Price with currency, e.g. `€29`, or in words. */
  readonly price: string | null
  /** E.g. `/ month`. */
  readonly period: string | null
  /** Price when paid yearly; null without one. */
  readonly yearlyPrice: string | null
  readonly yearlyPeriod: string | null
  readonly descriptionHtml: string | null
  readonly features: readonly { readonly html: string; readonly included: boolean }[]
  readonly action: ActionView | null
  readonly highlighted: boolean
}

export interface TestimonialsProps {
  readonly items: readonly TestimonialView[]
  readonly layout: 'grid' | 'masonry' | 'carousel'
}

export interface TestimonialView {
  readonly html: string | null
  readonly name: string | null
  /** Role and company. */
  readonly position: string | null
  readonly avatar: ImageView | null
  /** Whole stars, 1 to 5. */
  readonly rating: number | null
  readonly href: string | null
  readonly external: boolean
}

export interface FaqProps {
  readonly items: readonly { readonly question: string | null; readonly html: string | null }[]
  readonly openFirst: boolean
  readonly columns: 1 | 2
}

export interface StatsProps {
  readonly items: readonly StatView[]
}

export interface StatView {
  /** Value with prefix and suffix, e.g. `$12M`. */
  readonly figure: string | null
  readonly label: string | null
  /** A short text or emoji; null for a name and for an image. */
  readonly icon: string | null
  /** The icon as text, drawing or image; null when there is none. */
  readonly iconHtml: string | null
}

export interface LogosProps {
  /** `image.alt` equals the name. Without an image the name is shown as text. */
  readonly items: readonly {
    readonly name: string
    readonly image: ImageView | null
    readonly href: string | null
    readonly external: boolean
  }[]
  /** `marquee` moves the logos sideways, until a reader pauses them. */
  readonly layout: 'row' | 'marquee'
  /** `mono` shows all in one grey that fits light and dark. */
  readonly tone: 'original' | 'mono'
  readonly grayscale: boolean
}

export interface StepsProps {
  readonly items: readonly (CardView & { readonly date: string | null })[]
  readonly numbered: boolean
}

export interface GalleryProps {
  readonly items: readonly PictureView[]
  readonly columns: 2 | 3 | 4 | 5
  readonly layout: 'grid' | 'masonry' | 'carousel' | 'tabs'
}

export interface PictureView {
  readonly image: ImageView
  readonly captionHtml: string | null
  readonly href: string | null
  readonly external: boolean
}

export interface TeamProps {
  readonly members: readonly MemberView[]
}

export interface MemberView {
  readonly name: string | null
  readonly role: string | null
  readonly avatar: ImageView | null
  readonly html: string | null
  readonly links: readonly NamedLinkView[]
}

/** A named link. */
export interface NamedLinkView {
  readonly label: string
  readonly href: string
  readonly external: boolean
  /** A short text or emoji; null for a name and for an image. */
  readonly icon: string | null
  /** The icon as text, drawing or image; null when there is none. */
  readonly iconHtml: string | null
}

export interface ContactProps {
  /** `href` is null when the text is not a valid address. */
  readonly email: { readonly text: string; readonly href: string | null } | null
  readonly phone: { readonly text: string; readonly href: string | null } | null
  /** Lines of the address; empty for none. */
  readonly address: readonly string[]
  readonly links: readonly NamedLinkView[]
  readonly form: FormView | null
}

export interface FormView {
  readonly id: string
  /** `https` or `mailto` URL. */
  readonly action: string
  readonly method: 'get' | 'post'
  readonly isMail: boolean
  readonly fields: readonly FormFieldView[]
  readonly submitText: string | null
  /** Text that visitors must agree to; null for none. */
  readonly consentHtml: string | null
  /** Name of a field that visitors do not see and programs fill in; null for none. */
  readonly honeypot: string | null
}

export interface FormFieldView {
  readonly id: string
  readonly name: string
  readonly type: 'text' | 'email' | 'tel' | 'textarea' | 'select' | 'checkbox' | 'hidden'
  readonly label: string
  readonly required: boolean
  readonly placeholder: string | null
  readonly value: string | null
  /** Value of `autocomplete`; null for none. */
  readonly autocomplete: string | null
  readonly options: readonly { readonly text: string; readonly value: string }[]
}

export interface PostsProps {
  readonly posts: readonly PostView[]
  /** The same posts under headings; empty for a list without them. */
  readonly groups: readonly PostGroup[]
  /** `grid` when at least half of the posts have images, else `list`. */
  readonly layout: 'grid' | 'list'
}

/** The posts of a year or of a month. */
export interface PostGroup {
  /** E.g. `2026` or `March 2026`, in the language of the page. */
  readonly title: string
  readonly posts: readonly PostView[]
}

/** An entry in a list of pages. */
export interface PostView {
  readonly title: string
  readonly href: string
  readonly excerpt: string | null
  readonly image: ImageView | null
  readonly date: DateView | null
  readonly author: string | null
}

/** Props of section types that neither Quoin nor the theme knows: body, image and items. */
export interface GenericProps {
  readonly html: string | null
  readonly image: ImageView | null
  readonly items: readonly CardView[]
}

/** A field of an `item`, in written order. */
export interface FieldView {
  readonly label: string
  readonly value: FieldValue
}

export type FieldValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'image'; readonly image: ImageView }
  | { readonly kind: 'list'; readonly values: readonly FieldValue[] }
  | { readonly kind: 'fields'; readonly fields: readonly FieldView[] }

export interface DateView {
  /** ISO 8601. */
  readonly iso: string
  /** In the page's language. */
  readonly text: string
}

export interface ContentView {
  readonly type: 'page' | 'article' | 'docs' | 'item'
  readonly title: string
  readonly description: string | null
  /**
   * The page's own values: its `config`, else its front matter, as the author wrote them. An absent value is undefined,
   * links are not checked, and texts are plain. `href` turns an address into one that may be printed.
   */
  readonly config: JsonObject
  /** The Markdown body; empty for none. */
  readonly html: string
  readonly toc: readonly Heading[]
  /** Rendered sections of a `page`, in order; empty for other types. */
  readonly sectionsHtml: string
  /** True when the sections contain the page's `<h1>`. */
  readonly hasOwnHeading: boolean
  /** Fields of an `item`. */
  readonly fields: readonly FieldView[]
  readonly image: ImageView | null
  /** Articles only. */
  readonly date: DateView | null
  /** Date of the last edit of an article or docs page, if its author set one. */
  readonly updated: DateView | null
  readonly author: AuthorView | null
  readonly tags: readonly TagView[]
  /** URL for editing the page's source, if its author set one. */
  readonly editHref: string | null
  /** Whole minutes; articles only. */
  readonly readingMinutes: number | null
}

export interface AuthorView {
  readonly name: string
  readonly avatar: string | null
  /** One or two sentences about the author; null for none. */
  readonly bio: string | null
  /** The author's own page; null for none. */
  readonly href: string | null
}

export interface PageView {
  /** BCP 47, e.g. `en`. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  /** The layout of the page's choice; null for the one of its type. */
  readonly layout: string | null
  readonly head: HeadView
  readonly site: SiteView
  readonly page: ContentView
  /** Set for type `docs` only. */
  readonly docs: DocsView | null
  /** The pages above an item, from the front page; empty for other types. */
  readonly breadcrumbs: readonly StepView[]
  /** Link to the list that contains the article; null for none. */
  readonly listing: StepView | null
  /** Other articles of the blog of an article; null for none. */
  readonly neighbours: NeighboursView | null
}

export interface NeighboursView {
  /** The next article by date; null for the newest. */
  readonly newer: StepView | null
  /** The previous article by date; null for the oldest. */
  readonly older: StepView | null
  /** Articles that share tags with it, at most three. */
  readonly related: readonly PostView[]
  /** The series that it is a part of; null for none. */
  readonly series: SeriesView | null
}

export interface SeriesView {
  readonly name: string
  /** E.g. `Part 2 of 5`, in the language of the page. */
  readonly numbered: string
  /** All parts in their order. */
  readonly parts: readonly (StepView & { readonly current: boolean })[]
  readonly previous: StepView | null
  readonly next: StepView | null
}

/** `404.html` is served at any depth: its style and script are inline, its links absolute. */
export interface NotFoundView {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly site: SiteView
  /** The page at `/404`, in its author's words; null for none. */
  readonly page: ContentView | null
  readonly favicon: string | null
  readonly icons: readonly IconView[]
  readonly themeColours: HeadView['themeColours']
  /** Text of a `<script>`. */
  readonly script: string
  /** Text of a `<style>`. */
  readonly css: string
  /** The same as in `HeadView`. */
  readonly visits: string | null
  /** The same as in `HeadView`. */
  readonly brandStyle: string | null
  /** Content-Security-Policy. */
  readonly policy: string
}

export interface NavPageView {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly head: HeadView
  readonly site: SiteView
  readonly title: string
  readonly tree: readonly NavNodeView[]
}

/** One page of the list of a blog's articles, or of those with a tag or by an author. */
export interface ListingView {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly head: HeadView
  readonly site: SiteView
  readonly title: string
  /** The number of the page as text, e.g. "Page 2"; null for the first page. */
  readonly numbered: string | null
  /** On the first page of a blog: its most common tags. */
  readonly tags: readonly TagView[]
  /** On the list of an author: what the site says about them. Null for other lists. */
  readonly author: ListedAuthorView | null
  /** URL of the page of all tags of the blog; null for a blog without tags and for an author. */
  readonly allTags: string | null
  /** On the list of a tag or an author: link to the list of the blog. Null for a blog. */
  readonly listing: StepView | null
  /** URL of the own feed of the tag, author or changelog; null for none. */
  readonly feed: string | null
  readonly posts: readonly PostView[]
  readonly layout: PostsProps['layout']
  /** On the list of a changelog: `posts` with their texts. Null for other lists. */
  readonly entries: readonly EntryView[] | null
  /** URLs of the neighbouring pages of the list; null for none. */
  readonly newer: string | null
  readonly older: string | null
}

/** An article in the list of a changelog. */
export interface EntryView extends PostView {
  /** Its id in the document, for links to it. */
  readonly id: string
  readonly version: string | null
  /** Its text; null for a long one, which only its own page has. */
  readonly html: string | null
  readonly tags: readonly (TagView & {
    /** The kind of change that the tag names; null for any other tag. */
    readonly kind: 'added' | 'changed' | 'deprecated' | 'removed' | 'fixed' | 'security' | null
  })[]
}

/** An author above the list of their articles, whose title is their name. */
export interface ListedAuthorView {
  readonly avatar: string | null
  readonly bio: string | null
  readonly links: readonly { readonly label: string; readonly href: string }[]
}

/** The tags of a blog, or of all blogs of the site. */
export interface TagsView {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly head: HeadView
  readonly site: SiteView
  /** Link to the list of the blog; null for the tags of the whole site. */
  readonly listing: StepView | null
  /** Each with its title, the URL of its list, and its tags. */
  readonly blogs: readonly {
    readonly title: string
    readonly href: string
    readonly tags: readonly TagView[]
  }[]
}

export interface TagView {
  readonly name: string
  /** URL of the list of its articles; null if it has none. */
  readonly href: string | null
  /** Number of its articles; null where it is not shown. */
  readonly count: number | null
}

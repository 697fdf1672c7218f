/**
 * What templates are given. Every string named `html` is safe HTML, already sanitised and to be
 * written raw (`<%~ %>`); every `href` and `src` is a checked URL, already relative to the page;
 * all else is plain text to be written escaped (`<%= %>`). Absent is null, never undefined.
 */

export interface LinkView {
  readonly label: string
  readonly href: string
  /** Leads to another site. */
  readonly external: boolean
  /** The page being rendered lies at this link, or beneath it. */
  readonly current: boolean
}

export interface ImageView {
  readonly src: string
  readonly alt: string
  readonly width: number | null
  readonly height: number | null
  /** The image to show to readers who prefer dark. */
  readonly dark: string | null
}

export interface ActionView {
  readonly text: string
  readonly href: string
  readonly variant: 'primary' | 'secondary' | 'link'
  readonly external: boolean
  readonly icon: string | null
}

/** `<head>`: the same for every layout. */
export interface HeadView {
  /** The Content-Security-Policy; null where the owner's own HTML decides what is needed. */
  readonly policy: string | null
  /** Goes into `<title>`, the site's name included. */
  readonly title: string
  readonly description: string | null
  readonly keywords: string | null
  readonly robots: string | null
  /** Absolute. */
  readonly canonical: string
  readonly ogTitle: string
  readonly ogType: 'website' | 'article'
  readonly ogImage: string | null
  /** The page as Markdown; null for documents without one. */
  readonly markdown: string | null
  /** An item's fields as JSON; null for what is no item. */
  readonly json: string | null
  /** The site's Atom feed; null where it is of no use. */
  readonly feed: string | null
  /** JSON-LD, each fit to be the text of a `<script>`. */
  readonly structuredData: readonly string[]
  readonly favicon: string | null
  readonly themeStyle: string
  /** The owner's own CSS, as a file; null when there is none. */
  readonly customStyle: string | null
  readonly script: string
  readonly analytics: { readonly script: string; readonly id: string } | null
  /** The owner's own HTML, written raw, last in `<head>`. */
  readonly customHeadHtml: string
  /** CSS that sets what the branding has, `--brand`, a colour, and `--brand-font`, font families: the text of a `<style>`. */
  readonly brandStyle: string | null
}

export interface SiteView {
  readonly name: string
  /** In front of the names of the theme's own files, as they are served; `asset` puts it there. */
  readonly filesHref: string
  readonly homeHref: string
  readonly logo: string | null
  /** Loaded when a reader asks for the search dialog; it finds the index from `homeHref`. */
  readonly search: { readonly script: string; readonly style: string }
  readonly navLinks: readonly LinkView[]
  readonly footer: {
    readonly text: string | null
    readonly copyright: string | null
    /** Plain links are a group without a title. */
    readonly groups: readonly { readonly title: string | null; readonly links: readonly LinkView[] }[]
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
  readonly current: boolean
  /** The current page lies beneath: shown open. */
  readonly open: boolean
  readonly children: readonly NavNodeView[]
  /** There are children this page does not carry; the script fetches them. */
  readonly more: boolean
}

export interface StepView {
  readonly title: string
  readonly href: string | null
}

export interface DocsView {
  readonly tree: readonly NavNodeView[]
  readonly breadcrumbs: readonly StepView[]
  readonly previous: StepView | null
  readonly next: StepView | null
  /** The shared navigation file of this subroute, for the script. */
  readonly navFile: string
  /** The page that lists all docs pages, for readers without script. */
  readonly navPage: string
}

export interface SectionView {
  /** Normalised, e.g. `hero`; an unknown type keeps its own name. */
  readonly type: string
  /** HTML id, unique on the page. */
  readonly id: string
  /** Language of the page, BCP 47. */
  readonly lang: string
  /** As in `SiteView`. */
  readonly filesHref: string
  /** 1 for the first section of a page when it is a hero, else 2. */
  readonly headingLevel: 1 | 2
  readonly title: string | null
  /** Inline HTML. */
  readonly subtitleHtml: string | null
  readonly tagline: string | null
  readonly actions: readonly ActionView[]
  readonly background: 'default' | 'muted' | 'accent' | 'dark'
  readonly backgroundImage: string | null
  readonly align: 'left' | 'center'
  /** The type's own props; see `HeroProps` and its neighbours. */
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
}

export interface HeroProps {
  readonly image: ImageView | null
  /** URL of a video file. */
  readonly video: string | null
  readonly layout: 'split' | 'center' | 'background'
  readonly noteHtml: string | null
}

export interface CardView {
  readonly title: string | null
  readonly html: string | null
  /** A short text or emoji shown as an icon, or null. */
  readonly icon: string | null
  readonly image: ImageView | null
  readonly href: string | null
  readonly linkText: string | null
  readonly external: boolean
}

export interface FeaturesProps {
  readonly items: readonly CardView[]
  readonly columns: 1 | 2 | 3 | 4
  readonly layout: 'grid' | 'list' | 'alternating'
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
  /** Where image and video stand; `none` when there are none. */
  readonly imagePosition: 'left' | 'right' | 'top' | 'none'
}

export interface PricingProps {
  readonly plans: readonly PlanView[]
  readonly noteHtml: string | null
}

export interface PlanView {
  readonly name: string | null
  readonly badge: string | null
  /** With its currency, e.g. `€29`, or in words. */
  readonly price: string | null
  /** E.g. `/ month`. */
  readonly period: string | null
  readonly descriptionHtml: string | null
  readonly features: readonly { readonly html: string; readonly included: boolean }[]
  readonly action: ActionView | null
  readonly highlighted: boolean
}

export interface TestimonialsProps {
  readonly items: readonly TestimonialView[]
  readonly layout: 'grid' | 'carousel'
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
}

export interface StatsProps {
  readonly items: readonly {
    /** With what stands before and after it, e.g. `$12M`. */
    readonly figure: string | null
    readonly label: string | null
    readonly icon: string | null
  }[]
}

export interface LogosProps {
  /** `image.alt` is the name; without an image the name stands for itself. */
  readonly items: readonly {
    readonly name: string
    readonly image: ImageView | null
    readonly href: string | null
    readonly external: boolean
  }[]
  readonly grayscale: boolean
}

export interface StepsProps {
  readonly items: readonly (CardView & { readonly date: string | null })[]
  readonly numbered: boolean
}

export interface GalleryProps {
  readonly items: readonly PictureView[]
  readonly columns: 2 | 3 | 4 | 5
  readonly layout: 'grid' | 'masonry' | 'carousel'
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
  readonly links: readonly PlaceView[]
}

/** A named link. */
export interface PlaceView {
  readonly label: string
  readonly href: string
  readonly external: boolean
  readonly icon: string | null
}

export interface ContactProps {
  /** Without a `href` when its text makes no link. */
  readonly email: { readonly text: string; readonly href: string | null } | null
  readonly phone: { readonly text: string; readonly href: string | null } | null
  /** Its lines; empty when there is none. */
  readonly address: readonly string[]
  readonly links: readonly PlaceView[]
  readonly form: FormView | null
}

export interface FormView {
  readonly id: string
  /** `https` or `mailto`. */
  readonly action: string
  readonly method: 'get' | 'post'
  readonly isMail: boolean
  readonly fields: readonly FormFieldView[]
  readonly submitText: string | null
  /** What a visitor has to agree to; null when nothing. */
  readonly consentHtml: string | null
}

export interface FormFieldView {
  readonly id: string
  readonly name: string
  readonly type: 'text' | 'email' | 'tel' | 'textarea' | 'select' | 'checkbox' | 'hidden'
  readonly label: string
  readonly required: boolean
  readonly placeholder: string | null
  readonly value: string | null
  /** What a browser may fill in, as `autocomplete` names it. */
  readonly autocomplete: string | null
  readonly options: readonly { readonly text: string; readonly value: string }[]
}

export interface PostsProps {
  readonly posts: readonly PostView[]
  /** A grid where there are pictures, else lines. */
  readonly layout: 'grid' | 'list'
}

/** A page of the site in a list of pages. */
export interface PostView {
  readonly title: string
  readonly href: string
  readonly excerpt: string | null
  readonly image: ImageView | null
  readonly date: DateView | null
  readonly author: string | null
}

/** Any other type: its body and its items, as they can be shown without knowing it. */
export interface GenericProps {
  readonly html: string | null
  readonly image: ImageView | null
  readonly items: readonly CardView[]
}

/** A field of an `item`, in the order it was written. */
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
  /** As readers of the page's language write it. */
  readonly text: string
}

export interface ContentView {
  readonly type: 'page' | 'article' | 'docs' | 'item'
  readonly title: string
  readonly description: string | null
  /** The Markdown body; empty when there is none. */
  readonly html: string
  readonly toc: readonly Heading[]
  /** The rendered sections of a `page`, in order; empty for the others. */
  readonly sectionsHtml: string
  /** True when the sections bring the page's `<h1>` themselves. */
  readonly hasOwnHeading: boolean
  /** Fields of an `item`. */
  readonly fields: readonly FieldView[]
  readonly image: ImageView | null
  /** Articles only. */
  readonly date: DateView | null
  /** When the text was last edited, of an article or a docs page; null where nobody said. */
  readonly updated: DateView | null
  readonly author: { readonly name: string; readonly avatar: string | null } | null
  /** Where the page's source is edited; null where nobody said. */
  readonly editHref: string | null
  /** Whole minutes; articles only. */
  readonly readingMinutes: number | null
}

export interface PageView {
  /** BCP 47, e.g. `en`. */
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly head: HeadView
  readonly site: SiteView
  readonly page: ContentView
  /** Null for every type but `docs`. */
  readonly docs: DocsView | null
  /** The list that an article stands in; null where there is none. */
  readonly listing: StepView | null
}

/** `404.html` stands on its own at any depth: its style is inlined and its links are absolute. */
export interface NotFoundView {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly site: SiteView
  readonly favicon: string | null
  /** The text of its script and of its style, which it brings along. */
  readonly script: string
  readonly css: string
  readonly brandStyle: string | null
  /** What the document may load and do. */
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

/** A page of the list of a folder's articles. */
export interface ListingView {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly head: HeadView
  readonly site: SiteView
  readonly title: string
  /** Which page of the list it is, in words; null for the front page. */
  readonly numbered: string | null
  readonly posts: readonly PostView[]
  readonly layout: PostsProps['layout']
  /** Where newer and older articles are. */
  readonly newer: string | null
  readonly older: string | null
}

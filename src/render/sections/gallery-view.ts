import { GALLERY_LAYOUTS } from '../../sections/gallery.ts'
import { choiceIn, numberIn } from '../../sections/values.ts'
import type { GalleryProps, PictureView } from '../../theme/view.ts'
import { imageView } from '../page/image-view.ts'
import { inlineHtml } from '../page/prop-html.ts'
import type { Rendering } from '../page/rendering.ts'
import { type PlacedItem, placedItems, targetIn } from './parts.ts'
import type { PlacedSection } from './placed-section.ts'
import type { TypeView } from './type-view.ts'

const COLUMNS = [2, 3, 4, 5] as const

export function galleryView(placed: PlacedSection, rendering: Rendering): TypeView {
  const { props } = placed.section
  const items = placedItems(placed, 'items').flatMap((item) => pictureViews(item, rendering))
  const defaultColumns = items.length === 2 || items.length === 4 ? 2 : 3
  const view: GalleryProps = {
    items,
    columns: COLUMNS.find((columns) => columns === numberIn(props, 'columns')) ?? defaultColumns,
    layout: choiceIn(props, 'layout', GALLERY_LAYOUTS) ?? 'grid',
  }
  return { props: view, align: 'left' }
}

function pictureViews({ item, at, id }: PlacedItem, rendering: Rendering): PictureView[] {
  const image = imageView(item, at, rendering)
  const target = targetIn(item, at, rendering)
  if (image === null) return []
  return [
    {
      image,
      captionHtml: inlineHtml({ props: item, name: 'caption', at, id }, rendering),
      href: target?.href ?? null,
      external: target?.external ?? false,
    },
  ]
}

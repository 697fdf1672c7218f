import type { ProjectId } from '../domain/ids.ts'
import type { DerivationRecipe, ImageFacts, VariantRecipe } from '../domain/image.ts'
import type { SocialCard } from '../domain/social-picture.ts'

/**
 * Reads and derives images in files. `in-process.ts` implements it without decoding, and `child-pool.ts` with processes
 * that decode with sharp if it is installed; `test/contract/images-contract.ts` is the executable form of this comment.
 *
 * For a file that is no image, is damaged or exceeds a limit, every method rejects with a `ServiceError`
 * `validation_error`. Its message states the remedy; the next call works. A file that cannot be read rejects with
 * another error. Nothing is written next to `into`, and `into` exists only if the method succeeded.
 *
 * `project` selects the account whose turn the work uses; absent for work of no account.
 */
export interface ImageProcessor {
  /** Reports whether images can be decoded. Otherwise sizes are read from headers, and there are no variants. */
  decodes(): Promise<boolean>
  /** Reads the facts of an image, and whether all of it can be decoded. */
  inspect(file: string, project?: ProjectId): Promise<ImageFacts>
  /**
   * Writes the image without EXIF, GPS, XMP, comments and bytes after its end to `into`. Its orientation is applied;
   * its colour profile and format stay. Bytes of pixels are copied unless the image must be turned. SVG is reduced to
   * the elements and attributes of an allow list.
   */
  clean(file: string, into: string, project?: ProjectId): Promise<ImageFacts>
  /**
   * Writes a variant to `into`. The same file and recipe give the same bytes.
   *
   * @throws {ServiceError} `validation_error` for an SVG, and if images cannot be decoded.
   */
  derive(file: string, recipe: DerivationRecipe, into: string, project?: ProjectId): Promise<DerivedImage>
  /**
   * Draws a social image of a title and the name of its site to `into`, as a PNG. The same words and colours give the
   * same bytes.
   *
   * @throws {ServiceError} `validation_error` if images cannot be decoded.
   */
  drawCard(card: SocialCard, into: string, project?: ProjectId): Promise<DerivedImage>
  /**
   * Writes variants with the proportions of the image, which it decodes once. The same file and widths give the same
   * bytes, but `derive` gives others: pixels of smaller variants come from the largest.
   *
   * @param variants by width, smallest first.
   * @param largest the first variant with more bytes and those after it are not written.
   * @returns the variants that were written, in the same order.
   * @throws {ServiceError} as `derive`.
   */
  deriveAll(
    file: string,
    variants: readonly VariantToWrite[],
    largest: number,
  ): Promise<readonly DerivedImage[]>
  /** Rejects the calls that are not finished, and resolves when all child processes have ended. */
  close(): Promise<void>
}

export interface VariantToWrite extends Pick<VariantRecipe, 'width' | 'format'> {
  /** Absolute path. */
  readonly into: string
}

export interface DerivedImage {
  readonly width: number
  readonly height: number
  readonly bytes: number
}

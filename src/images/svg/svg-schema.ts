// Allow list for the contents of a served SVG. Everything else is left out.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Shapes, text, paint, filters and animations. No scripts, links, embedded documents or fonts as elements. */
export const ELEMENTS = words(`
  svg g defs symbol use title desc style image path rect circle ellipse line polyline polygon text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask marker filter view
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  animate animateMotion animateTransform set mpath`)

/** Elements that are removed while their contents stay. */
export const UNWRAPPED = words('a switch')

const ATTRIBUTES = words(`
  id class style transform transform-origin transform-box opacity fill fill-opacity fill-rule stroke stroke-width
  stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity clip-path clip-rule
  mask filter color color-interpolation color-interpolation-filters color-rendering display visibility overflow
  vector-effect shape-rendering text-rendering image-rendering paint-order mix-blend-mode isolation marker-start
  marker-mid marker-end stop-color stop-opacity flood-color flood-opacity lighting-color font-family font-size
  font-size-adjust font-stretch font-style font-variant font-weight letter-spacing word-spacing text-anchor
  text-decoration writing-mode direction unicode-bidi dominant-baseline alignment-baseline baseline-shift pointer-events
  xml:space xml:lang lang viewBox width height x y preserveAspectRatio version d pathLength points x1 y1 x2 y2 cx cy r rx
  ry fx fy fr dx dy rotate textLength lengthAdjust startOffset method spacing side gradientUnits gradientTransform
  spreadMethod offset patternUnits patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits
  mask-type markerUnits markerWidth markerHeight refX refY orient filterUnits primitiveUnits in in2 result type values
  tableValues slope intercept amplitude exponent mode operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX
  targetY edgeMode preserveAlpha surfaceScale diffuseConstant specularConstant specularExponent kernelUnitLength
  stdDeviation radius baseFrequency numOctaves seed stitchTiles scale xChannelSelector yChannelSelector azimuth
  elevation z pointsAtX pointsAtY pointsAtZ limitingConeAngle attributeName attributeType begin dur end min max restart
  repeatCount repeatDur calcMode keyTimes keySplines keyPoints from to by additive accumulate path href role
  aria-label aria-labelledby aria-hidden`)

/** Elements whose `href` may name a part of the same file. */
const REFERRING = words('use textPath mpath linearGradient radialGradient pattern filter')

const DATA_PICTURE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/

/** In style sheets, fonts and images may be part of the file as well. */
const LOCAL_URL =
  /url\(\s*(?:"\s*|'\s*)?(?:#|data:(?:font\/[\w+.-]+|application\/(?:x-)?font-[\w-]+|image\/(?:png|jpeg|gif|webp))(?:;charset=[\w-]+)?;base64,)/gi

export function isSafeAttribute(element: string, name: string, value: string): boolean {
  if (!ATTRIBUTES.has(name)) return false
  if (name === 'href') {
    if (element === 'image') return DATA_PICTURE.test(value)
    return REFERRING.has(element) && /^#/.test(value)
  }
  // An animation must not set an attribute that is not allowed in the file.
  if (name === 'attributeName') return ATTRIBUTES.has(value) && value !== 'href' && value !== 'style'
  return isSafeStyle(value)
}

/**
 * Reports whether the CSS names no other file. Rejects escapes: they could spell anything, and no program writes them.
 */
export function isSafeStyle(css: string): boolean {
  if (
    /@import|@namespace|\\|expression\s*\(|javascript:|image-set\s*\(|(?:^|[^\w-])src\s*\(|-moz-binding|behavior\s*:/i.test(
      css,
    )
  )
    return false
  return !/url\s*\(/i.test(css.replaceAll(LOCAL_URL, ''))
}

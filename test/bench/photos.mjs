// Photos that are drawn for measurements: they compress about as those of a camera.
import sharp from 'sharp'

/** Photos that are drawn. The others show parts of them, so that no two have a pixel in common. */
const DRAWN = 20

/** Writes photos as JPEG. @param fileOf returns the path of each. */
export async function writePhotos(count, size, fileOf) {
  const drawn = []
  for (let n = 0; n < Math.min(DRAWN, count); n++) drawn.push(await drawPhoto(n, size))
  for (let n = 0; n < count; n++) {
    const turn = Math.floor(n / DRAWN)
    const image = sharp(drawn[n % DRAWN], { raw: { ...size, channels: 3 } })
    await image
      .modulate({ brightness: 1 - 0.01 * turn, hue: 7 * turn })
      .jpeg({ quality: 88 })
      .toFile(fileOf(n))
  }
}

/** Soft shapes, a gradient and the noise of a sensor. Returns the pixels, three bytes each. */
export async function drawPhoto(n, size) {
  const noise = (width, height, sigma) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#808080',
        noise: { type: 'gaussian', mean: 128, sigma },
      },
    })
  const coarse = await noise(40 + n, 30 + n, 60)
    .png()
    .toBuffer()
  const medium = await noise(600, 450, 40).png().toBuffer()
  const fine = await noise(size.width, size.height, 6).png({ compressionLevel: 1 }).toBuffer()
  const scaled = (image) =>
    sharp(image)
      .resize({ ...size, kernel: 'cubic', fit: 'fill' })
      .png({ compressionLevel: 1 })
      .toBuffer()
  return sharp(await scaled(coarse))
    .composite([
      { input: await scaled(medium), blend: 'soft-light' },
      { input: fine, blend: 'overlay' },
    ])
    .removeAlpha()
    .raw()
    .toBuffer()
}

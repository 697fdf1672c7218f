// Photos that are drawn for measurements: they compress about as those of a camera.
import sharp from 'sharp'

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

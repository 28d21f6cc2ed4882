// Draws the picture that other sites show beside a link to this site, and the icon of the browser tab:
// node_modules/.bin/node scripts/share-picture.mjs
import { join } from 'node:path'
import sharp from 'sharp'

const main = join(import.meta.dirname, '../src/main')
const [width, height] = [1200, 630]
const line = 'M60 520 180 500 300 508 420 452 540 464 660 396 780 410 900 318 1020 332 1140 240'
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif">
  <rect width="100%" height="100%" fill="#faf8f4"/>
  <path d="${line}V630H60z" fill="#0a5aa8" opacity=".1"/>
  <path d="${line}" fill="none" stroke="#0a5aa8" stroke-width="6" stroke-linejoin="round"/>
  <circle cx="1140" cy="240" r="13" fill="#fff" stroke="#d7962a" stroke-width="7"/>
  <text x="60" y="150" font-size="88" font-weight="700" fill="#0f1a2a">Ntalo</text>
  <text x="60" y="222" font-size="42" fill="#4d5868">Les prix des marchés de la RD Congo,</text>
  <text x="60" y="276" font-size="42" fill="#4d5868">relevés, vérifiés, expliqués.</text>
</svg>`

await sharp(Buffer.from(picture))
  .png({ palette: true, compressionLevel: 9 })
  .toFile(join(main, 'public/partage.png'))

// A PNG: browsers check the icon at each change of the address, and would load an SVG as a separate document.
await sharp(join(main, 'public/favicon.svg'), { density: 144 })
  .resize(64)
  .png({ palette: true, compressionLevel: 9 })
  .toFile(join(main, 'favicon.png'))

// Icons for the home screen of a phone; the masked one leaves room for any outline.
const mark = join(main, 'public/favicon.svg')
for (const size of [192, 512]) {
  await sharp(mark, { density: 1200 })
    .resize(size)
    .png({ palette: true, compressionLevel: 9 })
    .toFile(join(main, `public/icone-${size}.png`))
}
await sharp(mark, { density: 1200 })
  .resize(300)
  .extend({ top: 106, bottom: 106, left: 106, right: 106, background: '#faf8f4' })
  .flatten({ background: '#faf8f4' })
  .png({ palette: true, compressionLevel: 9 })
  .toFile(join(main, 'public/icone-512-masque.png'))

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { loadViews } from '#server/views.ts'
import { story } from '../support/browser.ts'
import { accessibilityFaults } from '../support/browser-checks.ts'

const { open } = await story()
const views = await loadViews('dist')

const html = views.renderMail({
  subject: 'Riz local, 25 kg à Marché Virunga, Goma\u00a0: 1\u202f234\u202f567\u00a0FC le 24 nov. 2026',
  paragraphs: [
    'Bonjour Aline Mbuyi-Kasongo,',
    'Riz local, 25 kg à Marché Virunga, Goma\u00a0: 1\u202f234\u202f567\u00a0FC le 24 nov. 2026, au-dessus de votre seuil de 1\u202f200\u202f000\u00a0FC (2\u00a0relevés).',
    'Huile de palme, 1 L à Kadutu, Bukavu\u00a0: +12,5\u00a0% en 30\u00a0jours, 3\u202f450\u00a0FC le 24 nov. 2026, soit 1,52\u00a0$US.',
  ],
  charts: [
    {
      alt: 'Riz local\u00a0: de 1\u202f100\u202f000\u00a0FC à 1\u202f234\u202f567\u00a0FC.',
      level: 0.5,
      course: [
        [
          [0, 0],
          [1, 1],
        ],
      ],
      labels: { range: '', from: '', to: '' },
    },
  ],
  action: { label: 'Voir mes alertes', url: `https://ntalo.example/series/${'9'.repeat(60)}` },
  notes: ['Au plus un e-mail par heure\u00a0: ce qui sonne entre-temps attend le suivant.'],
  unsubscribeUrl: 'https://ntalo.example/desabonnement/abc',
})

/** Renderings of a mail by mail programs: all remove the head, and some remove more. */
const renderings: [string, number, (mail: string) => string][] = [
  ['narrow, as Gmail on a phone', 320, (mail) => mail.replace(/<head>.*<\/head>/s, '<head></head>')],
  [
    'with tables alone, as Outlook',
    640,
    (mail) =>
      mail
        .replace(/<head>.*<\/head>/s, '<head></head>')
        .replaceAll(/(max-width|border-radius|[^-]width|display):[^;"]*;?/g, ''),
  ],
  ['in the dark', 400, (mail) => mail],
]

/** Returns the amounts and percentages that are split over two lines, or overflow the window. */
function brokenAmounts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const found of (node.textContent ?? '').matchAll(
        /[+−]?\d[\d\u202f,]*\u00a0(FC|%|\$US|jours|relevés)/g,
      )) {
        const range = document.createRange()
        range.setStart(node, found.index)
        range.setEnd(node, found.index + found[0].length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        const { right } = range.getBoundingClientRect()
        if (lines.size !== 1 || right > innerWidth) broken.push(found[0])
      }
    }
    return broken
  })
}

test('a mail is readable on a phone, without styles and in dark colours, with every amount in one piece', async () => {
  const page = await open('/api/health')
  // A page without a content security policy, like a mail program's view.
  await page.goto('about:blank')
  for (const [name, width, made] of renderings) {
    await page.emulateMedia({ colorScheme: name === 'in the dark' ? 'dark' : 'light' })
    await page.setViewportSize({ width, height: 700 })
    await page.setContent(made(html))
    await page.getByRole('heading', { name: /1.234.567.FC/ }).waitFor()
    expect([name, await brokenAmounts(page)]).toEqual([name, []])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([name, overflow]).toEqual([name, 0])
    expect([name, await accessibilityFaults(page, ['color-contrast'])]).toEqual([name, []])
  }
})

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { loadViews, type Views } from '#server/views.ts'
import { unknownSite } from '#shared/site.ts'

const props = { site: unknownSite, isDemonstration: false }
let views: Views

beforeAll(async () => {
  // Views that `npm test` has just built.
  views = await loadViews(join(import.meta.dirname, '../../dist'))
})

test('a view becomes a complete French document, styled and titled', () => {
  const html = views.render('not-found', props)
  expect(html).toMatch(/^<!doctype html><html lang="fr">/)
  expect(html).toContain('<title>')
  const [, style = ''] = /<style>(.+?)<\/style>/s.exec(html) ?? []
  expect(views.styleHash).toBe(`sha256-${createHash('sha256').update(style).digest('base64')}`)
})

test('a document has no inline script, and only the style named by the content security policy', () => {
  for (const html of [views.render('not-found', props), views.shell]) {
    expect(html.replace(/<style>.+?<\/style>/s, '')).not.toMatch(
      /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/,
    )
  }
})

test('a view with an enhancement loads it from the assets', () => {
  expect(views.render('not-found', props)).toMatch(
    /<script type="module" src="\/assets\/not-found-[\w-]+\.js">/,
  )
  expect(views.render('not-found', props).match(/<script/g)).toHaveLength(2)
})

test('the visitor’s theme is applied before the page paints', () => {
  expect(views.render('not-found', props, { theme: 'dark' })).toContain('<html lang="fr" data-theme="dark">')
})

test('what a view receives is escaped', () => {
  const html = views.render('not-found', { ...props, previousUrl: '/"><script>alert(1)</script>' })
  expect(html).not.toContain('<script>')
})

test('an unknown view is named in the error, with the known ones', () => {
  expect(() => views.render('nowhere')).toThrow(/nowhere.*not-found/)
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { palette } from '#shared/palette.ts'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

const light = variables(/^:root \{(.*?)^\}/ms)
const dark = variables(/^:root\[data-theme="dark"\] \{(.*?)^\}/ms)
const darkByDevice = variables(/:root:not\(\[data-theme="light"\]\) \{(.*?)^ {2}\}/ms)

const grounds = ['paper', 'surface', 'sunken']
const tints = ['river', 'ochre', 'red', 'green', 'amber', 'grey']

// Text: a contrast of 4.5 to 1.
const texts = [
  ...['ink', 'ink-soft', 'river', 'ochre', 'red', 'green', 'amber', 'grey'].flatMap((text) =>
    grounds.map((on) => [text, on]),
  ),
  ...tints.flatMap((tint) => [tint, 'ink', 'ink-soft'].map((text) => [text, `${tint}-soft`])),
  ['on-river', 'river-fill'],
  ['on-river', 'river-hover'],
  ['on-red', 'red-fill'],
  ['on-red', 'red-hover'],
]

// Shapes (frames of controls, focus, lines of charts): a contrast of 3 to 1.
const shapes = ['line-strong', 'river', ...[1, 2, 3, 4, 5, 6, 7, 8].map((index) => `chart-${index}`)].flatMap(
  (shape) => grounds.map((on) => [shape, on]),
)

describe.each([
  ['light', light],
  ['dark', dark],
])('%s', (_name, theme) => {
  test.each(texts)('%s is readable on %s', (text, ground) => {
    expect(contrast(theme, text!, ground!)).toBeGreaterThanOrEqual(4.5)
  })
  test.each(shapes)('%s is visible on %s', (shape, ground) => {
    expect(contrast(theme, shape!, ground!)).toBeGreaterThanOrEqual(3)
  })
})

test('the dark theme is the same whether the device or the visitor chose it', () => {
  expect(dark).toEqual(darkByDevice)
})

test('each colour of the light theme has its dark counterpart', () => {
  expect(Object.keys(dark).sort()).toEqual(Object.keys(light).sort())
})

test.each(Object.entries(palette))('%s is the same in mails, pictures and PDF files', (name, colour) => {
  const token = name.replaceAll(/[A-Z]|\d/g, (letter) => `-${letter.toLowerCase()}`)
  expect(colour).toBe(light[token])
})

function variables(block: RegExp): Record<string, string> {
  const body = block.exec(css)?.[1] ?? ''
  return Object.fromEntries([...body.matchAll(/--([\w-]+): (.+?);/g)].map(([, name, value]) => [name, value]))
}

function contrast(theme: Record<string, string>, one: string, other: string): number {
  const [high, low] = [luminance(theme[one]), luminance(theme[other])].sort((a, b) => b - a) as [
    number,
    number,
  ]
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour = ''): number {
  const parts = /^#(..)(..)(..)$/.exec(colour)?.slice(1)
  if (!parts) throw new Error(`not a colour: ${colour}`)
  const [red, green, blue] = parts.map((part) => {
    const value = Number.parseInt(part, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

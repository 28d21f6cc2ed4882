import { isValidElement, type ReactElement, type ReactNode } from 'react'
import type { Shape } from '#shared/drawing.ts'
import tokens from '#web/ui/tokens.css?raw'

/** The colours of the light theme, by the name of their CSS variable. */
const palette = new Map(
  [...tokens.slice(0, tokens.indexOf('@media')).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(
    ([, name = '', colour = '']) => [name, colour],
  ),
)
const sizes: Record<string, number> = { 'text-xs': 12, 'text-sm': 14 }

type Props = { children?: ReactNode; className?: string } & Record<string, unknown>
type Look = { fill: string | null; stroke: string | null; opacity: number; size: number; isStrong: boolean }

const plain: Look = { fill: '#000000', stroke: null, opacity: 1, size: 12, isStrong: false }

/** Returns the first `svg` of a view. The view must not use hooks, because it is called rather than rendered. */
export function findDrawing(node: ReactNode): ReactElement<Props> | null {
  if (Array.isArray(node)) return node.reduce((found, each) => found ?? findDrawing(each), null)
  if (!isValidElement<Props>(node)) return null
  if (typeof node.type === 'function') return findDrawing(called(node))
  return node.type === 'svg' ? node : findDrawing(node.props.children)
}

/** Converts a drawing to shapes from back to front, resolving the colours and fonts of its classes. */
export function shapesOf(node: ReactNode, inherited: Look = plain): Shape[] {
  if (Array.isArray(node)) return node.flatMap((each) => shapesOf(each, inherited))
  if (!isValidElement<Props>(node)) return []
  if (typeof node.type === 'function') return shapesOf(called(node), inherited)
  const { props } = node
  const look = lookOf(props, inherited)
  const { fill, stroke, opacity } = look
  const ink = { fill, stroke, opacity }
  const number = (name: string) => Number(props[name] ?? 0)
  const lineWidth = Number(props.strokeWidth ?? 1)
  switch (node.type) {
    case 'title':
      return []
    case 'path': {
      const dash = String(props.strokeDasharray ?? '').match(/[\d.]+/g) ?? []
      return [{ kind: 'path', ...ink, d: String(props.d), width: lineWidth, dash: dash.map(Number) }]
    }
    case 'circle':
      return [
        { kind: 'circle', ...ink, x: number('cx'), y: number('cy'), radius: number('r'), width: lineWidth },
      ]
    case 'rect':
      return [
        {
          kind: 'rect',
          ...ink,
          x: number('x'),
          y: number('y'),
          width: number('width'),
          height: number('height'),
        },
      ]
    case 'text':
      return [
        {
          kind: 'text',
          ...ink,
          x: number('x'),
          y: number('y'),
          size: look.size,
          isStrong: look.isStrong,
          text: String(props.children),
          anchor: props.textAnchor === 'end' || props.textAnchor === 'middle' ? props.textAnchor : 'start',
        },
      ]
    default:
      return shapesOf(props.children, look)
  }
}

/** Returns the colour of the light theme for a class: `fill-chart-1`, `bg-chart-1`. */
export function colourOfClass(name: string): string | null {
  return palette.get(name.replace(/^\w+?-/, '')) ?? null
}

/** Converts a colour to the grey of the same lightness (sRGB weights), as the screen does for old data. */
export function greyOf(colour: string): string {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const light = Math.round(0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5))
  return `#${light.toString(16).padStart(2, '0').repeat(3)}`
}

function called({ type, props }: ReactElement<Props>): ReactNode {
  return (type as (props: Props) => ReactNode)(props)
}

function lookOf({ className = '', fill }: Props, inherited: Look): Look {
  const look = { ...inherited }
  if (fill === 'none') look.fill = null
  for (const name of String(className).split(' ')) {
    if (name.startsWith('fill-')) look.fill = colourOfClass(name)
    else if (name.startsWith('stroke-')) look.stroke = colourOfClass(name)
    else if (name.startsWith('opacity-')) look.opacity = Number(name.slice('opacity-'.length)) / 100
    else if (name === 'font-semibold') look.isStrong = true
    else look.size = sizes[name] ?? look.size
  }
  return look
}

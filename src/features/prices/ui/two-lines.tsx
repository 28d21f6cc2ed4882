type TwoLinesProps = { first: string; second: string }

/** A name above the text that distinguishes it from others of that name; inside a link, both lines are clickable. */
export function TwoLines({ first, second }: TwoLinesProps) {
  return (
    <span className="block min-w-0">
      <span className="block font-medium group-hover/link:text-river group-hover/link:underline">
        {first}
      </span>
      <span className="block text-xs font-normal text-ink-soft">{second}</span>
    </span>
  )
}

type TwoLinesProps = { first: string; second: string }

/** A name over what sets it apart from others of that name; inside a link, both lines are the target. */
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

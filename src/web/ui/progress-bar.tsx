type ProgressBarProps = {
  /** What is under way, read aloud: « Envoi de prix.csv ». */
  label: string
  /** From 0 to 1; null when nobody can tell how far it has come. */
  share: number | null
}

/** How far something has come. The figures stand beside it, in words. */
export function ProgressBar({ label, share }: ProgressBarProps) {
  return (
    <progress
      aria-label={label}
      value={share ?? undefined}
      className={`block h-2 w-full appearance-none overflow-hidden rounded-full border-0 bg-sunken [&::-moz-progress-bar]:bg-river-fill [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-river-fill ${share === null ? 'animate-skeleton [&::-webkit-progress-bar]:bg-river-fill' : ''}`}
    />
  )
}

/** Lokal's mark: an L with a point held in its corner: the model stays where you are. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="#0b6b75" />
      <path
        d="M8 6v12h8"
        fill="none"
        stroke="#fff"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="15.5" cy="9" r="2.3" fill="#8fe0d2" />
    </svg>
  );
}

// Coils and chips that the games on a board showed to be read wrongly, as one text.

/** `{square, piece, times, hours, weak, words}` each, the worst first; none: an empty text. */
export function sensorsSaid(device) {
  return (device.sensors || [])
    .map(({ square, piece, words, hours }) => `${square || `pieces ${piece}`} ${words} in ${hours} h`)
    .join("; ");
}

// A sound and a buzz for what is new and urgent, where this arbiter asked for them.

import { kept } from "./settings.js";

const PATTERNS = { 1: [[880, 0.16], [660, 0.16], [880, 0.3]], 2: [[520, 0.2]] };
let known = null;
let context = null;
let newest = null; // of what is to be heard

// Sound starts after a tap only: the one on its switch, and after a reload any on the page.
export async function prepareSound() {
  context ??= new AudioContext();
  await context.resume();
}

for (const gesture of ["click", "keydown"]) addEventListener(gesture, () => kept("sound") && prepareSound(), true);

export function call(hall, alerts) {
  if (hall.link !== "live") return;
  const fresh = known ? alerts.filter(({ id, urgency }) => !known.has(id) && urgency < 3) : [];
  known = new Set(alerts.map(({ id }) => id));
  if (!fresh.length) return;
  const urgency = Math.min(...fresh.map((ruling) => ruling.urgency));
  if (kept("sound")) beep(PATTERNS[urgency]);
  if (kept("buzz")) navigator.vibrate?.(urgency === 1 ? [200, 80, 200] : [120]);
}

async function beep(notes) {
  newest = notes;
  await prepareSound();
  if (newest !== notes) return; // All that came in while nothing could be heard would sound together.
  newest = null;
  let at = context.currentTime;
  for (const [hertz, seconds] of notes) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.25, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}

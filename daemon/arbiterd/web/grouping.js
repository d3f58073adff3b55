// Which alerts belong together, and in which lane they stand. Pure.

const TOGETHER_MS = 90000;
const MANY = 3;
const OF_DEVICES = new Set(["tech-board-lost", "tech-gap", "clock-lost"]); // What people do is never one entry.

// Devices fail by the hub: three or more alike within a minute and a half are one entry.
export function grouped(alerts) {
  const groups = [];
  const open = new Map(); // kind -> group that may still grow
  for (const ruling of alerts) {
    const alike = OF_DEVICES.has(ruling.kind) && ruling.urgency > 1;
    const at = Date.parse(ruling.at);
    const group = alike ? open.get(ruling.kind) : undefined;
    if (group && Math.abs(group.at - at) <= TOGETHER_MS) {
      group.rulings.push(ruling);
      continue;
    }
    const fresh = { id: ruling.id, at, rulings: [ruling] };
    if (alike) open.set(ruling.kind, fresh);
    groups.push(fresh);
  }
  return groups.flatMap((group) => group.rulings.length >= MANY
    ? [group]
    : group.rulings.map((ruling) => ({ id: ruling.id, at: Date.parse(ruling.at), rulings: [ruling] })));
}

// Alerts that nobody has taken, then a lane for each arbiter that is on the way.
export function lanes(alerts, me) {
  const taken = new Map();
  const free = [];
  for (const ruling of alerts) {
    const by = ruling.coming?.by;
    if (!by) free.push(ruling);
    else taken.set(by, [...(taken.get(by) ?? []), ruling]);
  }
  const names = [...taken.keys()].sort((a, b) => (a === me ? -1 : b === me ? 1 : a.localeCompare(b)));
  return { free, taken: names.map((by) => ({ by, alerts: taken.get(by) })) };
}

export function shelved(ruling, now) {
  return ruling.shelved_until !== undefined && Date.parse(ruling.shelved_until) > now;
}

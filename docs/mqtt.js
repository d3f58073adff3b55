// MQTT 3.1.1 over WebSocket, as much as a page needs: log in, subscribe, hear, publish (QoS 0). MQTT.js does more.
const bytes = (text) => [...new TextEncoder().encode(text)], read = (packet) => new TextDecoder().decode(new Uint8Array(packet));
const written = (text) => [bytes(text).length >> 8, bytes(text).length & 255, ...bytes(text)];

// Subscribes to `topics` once it is let in; then `heard(topic, text)` for each message, and `trouble(sentence)` for what is wrong.
export function connect(url, { user, password, topics, heard, trouble }) {
  const socket = new WebSocket(url, "mqtt"), login = user ? [written(user), written(password)].flat() : [];
  let rest = [];
  function send(type, ...parts) {
    const body = parts.flat(), size = [];
    for (let left = body.length; size.length === 0 || left > 0; left >>= 7) size.push((left & 127) | (left > 127 ? 128 : 0));
    if (socket.readyState === WebSocket.OPEN) socket.send(new Uint8Array([type, ...size, ...body]));
  }
  function take(type, body) {
    if (type === 0x20 && body[1] === 0) send(0x82, 0, 1, topics.map((topic) => [...written(topic), 0]).flat()); // CONNACK: SUBSCRIBE
    if (type === 0x20 && body[1] !== 0) trouble(`The broker does not let ${user || "us without a login"} in (${body[1]}).`);
    if (type === 0x90 && body.includes(128, 2)) trouble(`The broker lets ${user || "nobody"} not read ${topics[body.indexOf(128, 2) - 2]}.`); // SUBACK
    const end = 2 + (body[0] << 8) + body[1];
    if (type >> 4 === 3) heard(read(body.slice(2, end)), read(body.slice(end))); // PUBLISH
  }
  socket.binaryType = "arraybuffer";
  socket.onopen = () => send(0x10, written("MQTT"), 4, user ? 0xc2 : 2, 0, 60, written(`page-${Date.now()}`), login); // CONNECT
  socket.onclose = () => trouble("The broker is away: load this page again. If it never comes, does [mqtt] origins name where this page is from?");
  setInterval(() => send(0xc0), 30000); // PINGREQ
  socket.onmessage = ({ data }) => {
    rest.push(...new Uint8Array(data));
    for (let size = 0, at = 1; rest.length > at; at += 1) {
      size += (rest[at] & 127) << (7 * (at - 1));
      if (rest[at] & 128) continue;
      if (rest.length < at + 1 + size) return;
      const [type, ...packet] = rest.splice(0, at + 1 + size);
      take(type, packet.slice(at));
      [size, at] = [0, 0];
    }
  };
  return (topic, text) => send(0x30, written(topic), bytes(text));
}

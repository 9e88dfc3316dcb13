"use strict";
(async () => {
  const place = document.getElementById("proof");
  const seal = JSON.parse(document.getElementById("seal").textContent);
  const say = (text, kind) => {
    const line = document.createElement("p");
    line.textContent = text;
    if (kind) line.className = kind;
    place.append(line);
  };
  place.textContent = "";
  if (!globalThis.crypto?.subtle) {
    say("This browser computes hashes only for pages opened over https or from a file. Open this page that way.", "bad");
    return;
  }
  const bytes = text => new TextEncoder().encode(text);
  const hex = raw => [...new Uint8Array(raw)].map(one => one.toString(16).padStart(2, "0")).join("");
  const sha = async raw => hex(await crypto.subtle.digest("SHA-256", raw));
  const unhex = text => Uint8Array.from(text.match(/../g) || [], pair => parseInt(pair, 16));

  const WHOLE = 1n << 64n;
  const below = async (key, prefix, at, limit) => {
    const n = BigInt(limit), span = WHOLE / n * n;
    for (let attempt = 0; ; attempt += 1) {
      const made = await crypto.subtle.sign("HMAC", key, bytes(`${prefix}|${at}|${attempt}`));
      const number = new DataView(made).getBigUint64(0);
      if (number < span) return Number(number % n);
    }
  };
  const draw = async (key, prefix, sides, count) => {
    if (count === 1) return [1 + await below(key, prefix, 0, sides)];
    const numbers = Array.from({length: sides}, (_, at) => at + 1);
    for (let at = 0; at < count; at += 1) {
      const other = at + await below(key, prefix, at, sides - at);
      [numbers[at], numbers[other]] = [numbers[other], numbers[at]];
    }
    return numbers.slice(0, count);
  };

  const found = {hashed: 0, told: 0, parts: 0, throws: 0, forced: 0, faults: 0};
  const key = seal.secret ? await crypto.subtle.importKey("raw", unhex(seal.secret), {name: "HMAC", hash: "SHA-256"}, false, ["sign"]) : null;
  if (seal.secret && await sha(unhex(seal.secret)) !== seal.commitment) {
    found.faults += 1;
    say("The secret doesn't match the published SHA-256.", "bad");
  }
  const judge = async (link, before) => {
    const faults = [];
    if (link.text === null) { found.told += 1; return faults; }
    if (await sha(bytes(link.text)) !== link.sha) faults.push("the text doesn't match its hash");
    found.hashed += 1;
    const entry = JSON.parse(link.text);
    if (entry.previous_sha !== before) faults.push("it doesn't contain the hash of the entry before it");
    const throws = [...(entry.throws || [])];
    for (const [name, text] of Object.entries(link.parts)) {
      if (await sha(bytes(text)) !== (entry.withheld || {})[name]) faults.push(`part “${name}” doesn't match its hash`);
      found.parts += 1;
      if (name === "bots") throws.push(...JSON.parse(text)[2].throws.map(pair => pair[1]));
    }
    for (const one of throws) {
      if (one.forced) { found.forced += 1; continue; }
      if (!key) continue;
      const numbers = await draw(key, `${seal.game}|${link.cast}|${one.label}`, one.sides, one.numbers.length);
      found.throws += 1;
      if (numbers.join() !== one.numbers.join()) faults.push(`${one.label}: the log has ${one.numbers}, the secret gives ${numbers}`);
    }
    return faults;
  };
  let before = "";
  for (const [at, link] of seal.chain.entries()) {
    const faults = await judge(link, before), fate = document.querySelector(`#entry-${at} .fate`);
    before = link.sha;
    found.faults += faults.length;
    fate.textContent = faults.length ? faults.join("; ") : link.text === null ? "hash only, not checked" : "✓ verified";
    fate.className = faults.length ? "fate bad" : "fate good";
    if (faults.length) say(`Entry ${at} (${link.turn}): ${faults.join("; ")}.`, "bad");
  }
  say(`Entries hashed again: ${found.hashed} of ${seal.chain.length}.${found.faults ? "" : " Each contains the hash of the entry before it."}`, found.faults ? "" : "good");
  if (key) say(`Rolls computed again from the secret: ${found.throws}.${found.forced ? ` Set by the GM, according to the log: ${found.forced}.` : ""}`, found.faults ? "" : "good");
  say(found.faults ? `Errors found: ${found.faults}.` : "Everything is correct.", found.faults ? "bad" : "good");
  place.dataset.done = found.faults ? "wrong" : "right";
})();

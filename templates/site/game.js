"use strict";
(() => {
  const leaves = [...document.querySelectorAll(".leaf")];
  const by = id => document.getElementById(id);
  const inert = markup => { const box = document.createElement("template"); box.innerHTML = markup; return box.content; };

  // A turn and the shapes of its map become elements when the turn is first shown. Until then they are text.
  const shelf = new Map(), taken = new Set();
  let stock = null;
  if (by("stock")) {
    const drawing = inert(by("stock").textContent).firstElementChild;
    stock = drawing.querySelector("defs");
    for (const piece of stock.children) for (const one of [piece, ...piece.querySelectorAll("[id]")]) shelf.set(one.id, piece);
    stock.replaceChildren();
    by("stock").replaceWith(drawing);
  }
  const take = id => {
    const piece = shelf.get(id);
    if (!piece || taken.has(piece)) return;
    taken.add(piece);
    stock.append(piece);
    takeAll(piece.outerHTML);
  };
  const takeAll = markup => { for (const [, id] of markup.matchAll(/(?:href="#|url\(#)([^")]+)/g)) take(id); };
  for (const sheet of document.querySelectorAll("style")) takeAll(sheet.textContent);
  const open = box => {
    const shut = box.querySelector("noscript");
    if (!shut) return;
    takeAll(shut.textContent);
    shut.replaceWith(inert(shut.textContent));
    if (box.matches(".leaf")) listen(box.querySelector(".tale"));
  };
  by("counts")?.addEventListener("toggle", () => open(by("counts")));
  const slider = by("slider"), where = by("where"), pointed = by("pointed"), play = by("play");
  const svgs = "http://www.w3.org/2000/svg";
  const ground = by("spots") ? JSON.parse(by("spots").textContent) : [];
  const off = new Set();
  let now = -1, timer = 0, lit = null;

  const standing = leaves.map(() => null);
  const stands = at => {
    const raw = leaves[at].querySelector("script[type='application/json']");
    return standing[at] || (standing[at] = raw ? JSON.parse(raw.textContent) : {own: {}, there: {}});
  };
  const titleOf = piece => {
    const inside = piece.tagName === "use" ? document.querySelector(piece.getAttribute("href")) : piece;
    const title = inside && inside.querySelector("title");
    return title ? title.textContent : "";
  };

  // The places are invisible shapes on top of the map. Pointing at one or focusing it shows its details.
  const hits = document.createElementNS(svgs, "g");
  hits.setAttribute("class", "hits");
  let spots = [];
  const lay = some => {
    if (some === spots) return;
    spots = some;
    hits.replaceChildren(...spots.map((spot, place) => {
      const hit = document.createElementNS(svgs, spot.path ? "path" : "use");
      if (spot.path) hit.setAttribute("d", spot.path);
      else { take("b-" + spot.shape); hit.setAttribute("href", "#b-" + spot.shape); }
      hit.setAttribute("class", "hit");
      hit.setAttribute("role", "button");
      hit.setAttribute("tabindex", place ? "-1" : "0");
      hit.dataset.spot = spot.at;
      return hit;
    }));
  };
  const placesOf = line => line.dataset.at.split("|");

  const ordersAt = at => [...leaves[now].querySelectorAll("li[data-at]")].filter(line => placesOf(line).includes(at));
  const wordsOf = spot => {
    const here = stands(now), owner = here.own[spot.at];
    const parts = [spot.name + (owner ? ", " + owner + (owner.endsWith("s") ? "’" : "’s") : "")];
    parts.push(...(here.there[spot.at] || []));
    parts.push(...ordersAt(spot.at).map(line => line.textContent.trim()));
    return parts.join(" · ");
  };

  const dark = () => {
    if (!lit) return;
    for (const one of lit) one.classList.remove("lit");
    for (const one of leaves[now].querySelectorAll(".dim")) one.classList.remove("dim");
    lit = null;
  };
  const light = (lines, places, words) => {
    dark();
    lit = [...lines, ...places];
    for (const one of lit) one.classList.add("lit");
    const titles = new Set(lines.map(line => line.dataset.title).filter(Boolean));
    if (titles.size) for (const [piece, title] of lines_of(leaves[now]))
      piece.classList.toggle("dim", !titles.has(title));
    pointed.textContent = words;
  };
  const known = new Map();
  const lines_of = leaf => {
    if (!known.has(leaf)) {
      const told = new Set([...leaf.querySelectorAll("li[data-title]")].map(line => line.dataset.title));
      const board = leaf.querySelector(".board");
      const pieces = board ? [...board.children].map(piece => [piece, titleOf(piece)]) : [];
      known.set(leaf, pieces.filter(([, title]) => told.has(title)));
    }
    return known.get(leaf);
  };
  const spotOf = at => spots.find(one => one.at === at);
  const hitOf = at => hits.querySelector(`[data-spot="${CSS.escape(at)}"]`);
  const tellSpot = hit => {
    const spot = spotOf(hit.dataset.spot);
    light(ordersAt(spot.at), [], wordsOf(spot));
  };
  const tellLine = line => {
    const places = placesOf(line), there = places.map(hitOf).filter(Boolean);
    const names = places.map(spotOf).filter(Boolean).map(spot => spot.name);
    light([line], there, [...names.slice(0, 1), line.textContent.trim()].join(" · "));
  };

  const draw = () => {
    for (const line of leaves[now].querySelectorAll("li[data-of]"))
      for (const [piece, title] of lines_of(leaves[now]))
        if (title === line.dataset.title) piece.classList.toggle("off", off.has(line.dataset.of));
  };

  const show = (at, moved = true) => {
    at = Math.max(0, Math.min(leaves.length - 1, at));
    if (at === now) return;
    const scrolled = lens.scrolled();
    if (now >= 0) dark();
    now = at;
    open(leaves[at]);
    leaves.forEach((leaf, place) => { leaf.hidden = place !== at; });
    const board = leaves[at].querySelector(".board");
    lay(stands(at).spots || ground);
    if (board && spots.length) {
      board.setAttribute("role", "group");
      board.append(hits);
      for (const hit of hits.children) hit.setAttribute("aria-label", wordsOf(spotOf(hit.dataset.spot)));
    }
    for (const line of leaves[at].querySelectorAll("li[data-at]")) line.tabIndex = 0;
    slider.value = at;
    slider.setAttribute("aria-valuetext", leaves[at].dataset.name);
    where.textContent = leaves[at].dataset.name;
    by("first").disabled = by("back").disabled = at === 0;
    by("last").disabled = by("on").disabled = at === leaves.length - 1;
    for (const one of document.querySelectorAll("[data-counts]")) one.textContent = one.dataset.counts.split(" ")[at];
    cursor();
    if (board) {
      if (isPhone && board.dataset.bare) board.setAttribute("viewBox", board.dataset.bare);
      lens.show(leaves[at].querySelector(".map"), scrolled);
      if (isPhone && !isMoved && !timer) toNews();
      label();
      unfoldKey();
    }
    reach();
    draw();
    if (moved) history.replaceState(null, "", "#" + leaves[at].id);
  };
  const cursor = () => {
    const mark = document.querySelector(".cursor");
    if (!mark) return;
    const share = leaves.length > 1 ? now / (leaves.length - 1) : 0;
    mark.style.left = `calc(12px + (100% - 24px) * ${share})`;
  };
  // On a wide screen all of the map is in its frame at first. On a phone it is the part where most happened, until the
  // reader moves the map, and the key below the board is folded.
  const isPhone = matchMedia("(max-width: 600px)").matches;
  let isMoved = false;
  const lens = mapFrame({
    changed: () => label(),
    moved: () => { isMoved = true; },
  });
  const label = () => {
    by("whole").textContent = lens.isWhole() ? "Close-up" : "Whole map";
    by("whole").hidden = lens.isWhole() && spots.length <= FEW_SPOTS;
  };
  const NEWS_SHARE = 2.2, NEWS_MARGIN = .05, FEW_SPOTS = 40;
  const newsParts = () => {
    const board = leaves[now].querySelector(".board"), frame = board.getBoundingClientRect(), {x, y, width, height} = board.viewBox.baseVal;
    const shown = lines_of(leaves[now]), scale = width / frame.width;
    const part = element => {
      const box = element.getBoundingClientRect();
      return {x: x + (box.left - frame.left) * scale, y: y + (box.top - frame.top) * scale, width: box.width * scale, height: box.height * scale};
    };
    const join = (elements, weight) => {
      const one = elements.length ? around(elements.map(part), 0) : null;
      return one && one.width < width / NEWS_SHARE && one.y + one.height <= y + height ? [{...one, weight}] : [];
    };
    const told = [...leaves[now].querySelectorAll("li[data-at]")].flatMap(line => {
      const {title} = line.dataset, drawn = shown.filter(one => one[1] === title).map(one => one[0]);
      return join(title ? drawn : placesOf(line).map(hitOf).filter(Boolean), line.matches(".failed") ? 2 : 1);
    });
    return told.length ? told : Object.keys(stands(now).there).flatMap(at => join([hitOf(at)].filter(Boolean), 1));
  };
  // The part of the map in which most happened, where what failed counts twice, or else where most pieces are. A board with
  // few places is shown whole.
  const toNews = () => {
    const {width, height} = leaves[now].querySelector(".board").viewBox.baseVal, wide = width / NEWS_SHARE;
    const best = spots.length > FEW_SPOTS ? mostTogether(newsParts(), wide, Math.min(height, wide * 1.1)) : [];
    if (best.length) lens.fit(around(best, NEWS_MARGIN * width), NEWS_SHARE); else lens.whole();
  };
  // The key of the map, in a part of the page that scrolls.
  const unfoldKey = () => {
    const board = leaves[now].querySelector(".board"), {bare} = board.dataset, box = by("legend");
    by("key").hidden = !isPhone || !bare;
    if (box.hidden) { box.replaceChildren(); return; }
    const frame = board.getBoundingClientRect(), [, , width, low] = bare.split(" ").map(Number);
    const parts = [...board.children].filter(one => one !== hits && one.getBoundingClientRect().bottom > frame.bottom + 1);
    const scale = width / frame.width, depth = Math.max(...parts.map(one => (one.getBoundingClientRect().bottom - frame.bottom) * scale));
    const copy = board.cloneNode(false);
    copy.removeAttribute("role");
    copy.removeAttribute("style");
    copy.setAttribute("aria-hidden", "true");
    copy.setAttribute("viewBox", `0 ${low} ${width} ${depth + 12}`);
    copy.append(...parts.map(one => one.cloneNode(true)));
    box.replaceChildren(copy);
  };
  // A box that scrolls must be reachable by keyboard.
  const scrolls = box => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
  const reach = () => {
    const box = leaves[now].querySelector(".tale");
    if (scrolls(box)) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "Orders and results");
    } else for (const one of ["tabindex", "role", "aria-label"]) box.removeAttribute(one);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.setAttribute("aria-pressed", "false");
    play.setAttribute("aria-label", "Play");
    play.querySelector(".sign").textContent = "▶\uFE0E";
    play.querySelector(".word").textContent = "Play";
  };
  const start = () => {
    if (isPhone) { isMoved = true; lens.whole(); }
    if (now === leaves.length - 1) show(0);
    timer = setInterval(() => (now === leaves.length - 1 ? stop() : show(now + 1)), 1400);
    play.setAttribute("aria-pressed", "true");
    play.setAttribute("aria-label", "Pause");
    play.querySelector(".sign").textContent = "⏸\uFE0E";
    play.querySelector(".word").textContent = "Pause";
  };
  const named = () => {
    const wanted = decodeURIComponent(location.hash.slice(1));
    return leaves.findIndex(leaf => leaf.id === wanted);
  };

  // On the map, an arrow key moves to the nearest place in that direction.
  const WAYS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  const beside = (hit, [dx, dy]) => {
    const middle = one => { const box = one.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; };
    const [x, y] = middle(hit);
    let best = null, least = Infinity;
    for (const one of hits.children) {
      if (one === hit) continue;
      const [there, low] = middle(one), along = (there - x) * dx + (low - y) * dy;
      const across = Math.abs((there - x) * dy) + Math.abs((low - y) * dx);
      if (along > 1 && along + 2 * across < least) { least = along + 2 * across; best = one; }
    }
    return best;
  };
  const enter = (hit, how) => {
    for (const one of hits.children) one.setAttribute("tabindex", one === hit ? "0" : "-1");
    hit.focus(how);
  };

  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  const press = {first: () => show(0), back: () => show(now - 1), on: () => show(now + 1), last: () => show(leaves.length - 1)};
  for (const [id, act] of Object.entries(press)) by(id).addEventListener("click", () => { stop(); act(); });
  play.addEventListener("click", () => (timer ? stop() : start()));
  if (by("larger")) {
    by("larger").addEventListener("click", () => lens.zoomBy(1.4));
    by("smaller").addEventListener("click", () => lens.zoomBy(1 / 1.4));
    by("whole").addEventListener("click", () => {
      isMoved = !lens.isWhole();
      if (isMoved) lens.whole(); else toNews();
    });
    by("key").addEventListener("click", () => {
      by("legend").hidden = !by("legend").hidden;
      by("key").setAttribute("aria-expanded", String(!by("legend").hidden));
      unfoldKey();
    });
  }
  document.querySelector(".powers")?.addEventListener("change", event => {
    const {power} = event.target.dataset;
    if (event.target.checked) off.delete(power); else off.add(power);
    draw();
  });
  const hitBy = event => event.target.closest("[data-spot]");
  hits.addEventListener("pointerover", event => hitBy(event) && tellSpot(hitBy(event)));
  hits.addEventListener("pointerleave", dark);
  // The listener is on the leaves: an SVG group that listens for focus would itself become focusable.
  by("leaves").addEventListener("focusin", event => hitBy(event) && tellSpot(hitBy(event)));
  by("leaves").addEventListener("focusout", event => hitBy(event) && dark());
  hits.addEventListener("click", event => {
    const hit = hitBy(event);
    if (!hit) return;
    // Don't scroll: the map would move under the finger and another place would be selected.
    enter(hit, {preventScroll: true});
    tellSpot(hit);
    const first = ordersAt(hit.dataset.spot)[0];
    if (first && scrolls(first.closest(".tale"))) first.scrollIntoView({block: "nearest"});
  });
  const listen = tale => {
    const line = event => event.target.closest("li[data-at]");
    tale.addEventListener("pointerover", event => line(event) && tellLine(line(event)));
    tale.addEventListener("pointerleave", dark);
    tale.addEventListener("focusin", event => line(event) && tellLine(line(event)));
    tale.addEventListener("focusout", dark);
    tale.addEventListener("click", event => line(event) && tellLine(line(event)));
  };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const on = event.target;
    if (on.matches?.("input, select, textarea")) return;
    if (on.classList?.contains("hit")) {
      const next = WAYS[event.key] && beside(on, WAYS[event.key]);
      if (next) { event.preventDefault(); enter(next); }
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        const first = ordersAt(on.dataset.spot)[0];
        if (first) first.focus();
      }
      return;
    }
    if (on.matches?.("li[data-at]") && (event.key === "Enter" || event.key === " ")) {
      const hit = placesOf(on).map(hitOf).find(Boolean);
      if (hit) { event.preventDefault(); enter(hit); }
      return;
    }
    if (on.matches?.(".map") && on.scrollWidth > on.clientWidth + 1 && event.key.startsWith("Arrow")) return;
    const act = {ArrowLeft: press.back, ArrowRight: press.on, Home: press.first, End: press.last}[event.key];
    if (act) { event.preventDefault(); stop(); act(); }
  });
  window.addEventListener("resize", reach);
  window.addEventListener("hashchange", () => { if (named() >= 0) { stop(); show(named(), false); setTimeout(() => window.scrollTo(0, 0)); } });
  show(named() >= 0 ? named() : leaves.length - 1, false);
  document.documentElement.classList.add("ready");
  // An address that names a turn shows the page from the top, with the map and its controls.
  if (named() >= 0) window.addEventListener("load", () => setTimeout(() => window.scrollTo(0, 0)));
})();

"use strict";
(() => {
  const by = id => document.getElementById(id);
  const data = JSON.parse(by("choices").textContent);
  const svgs = "http://www.w3.org/2000/svg";
  const {things, places} = data;
  const known = new Map();
  things.forEach((thing, of) => thing.orders.forEach(order => {
    Object.assign(order, {of, does: data.words[order.does] || "", slot: order.slot || null, sort: order.sort || "stay", along: order.along || [], adds: order.adds || []});
    known.set(order.text, order);
  }));
  let chosen = [], past = [], open = -1, path = [], narrowed = null;

  const upper = text => text[0].toUpperCase() + text.slice(1);
  // A sentence of the message catalogue (templates/messages/order_page.toml), with its values filled in.
  const sentence = (slug, values = {}) => {
    const entry = data.texts[slug], text = entry.other ? entry[values.count === 1 ? "one" : "other"] : entry;
    return text.replace(/\{\{ (\w+) \}\}/g, (_, name) => values[name]);
  };

  // The device keeps the chosen orders of this turn: their texts, under service, game, seat and turn. It never
  // keeps the reply address. A page of a newer turn erases those of older turns. Two tabs show the same.
  const scope = `turnpost-orders:${JSON.stringify(data.keep.scope)}`, key = `${scope}:${data.keep.turn}`;
  const store = (() => {
    try {
      const found = window.localStorage;
      found.setItem(scope, "");
      found.removeItem(scope);
      return found;
    } catch { return null; }
  })();
  const stored = name => { try { return JSON.parse(store.getItem(name)) || {}; } catch { return {}; } };
  const storedTurns = () => (store ? Object.keys(store).filter(name => name.startsWith(`${scope}:`)) : []);
  const keep = () => {
    const {number, made} = data.keep;
    try { store?.setItem(key, JSON.stringify({number, made, filed: data.filed, orders: chosen.map(one => one.text)})); }
    catch { by("kept").textContent = sentence("chosen.not_kept"); }
  };
  // The texts to begin with: those kept on the device, unless the email brought newer saved orders.
  const recall = () => {
    for (const name of storedTurns()) if (stored(name).number < data.keep.number) store.removeItem(name);
    const {number, made, filed, orders} = store ? stored(key) : {};
    const isNewer = made > data.keep.made || JSON.stringify(filed) === JSON.stringify(data.filed);
    return number === data.keep.number && isNewer && Array.isArray(orders) ? orders : null;
  };

  // What the orders share, from the limits and uses that the rules give: how much is used, and how much there is.
  const tally = list => {
    const used = data.limits.map(() => 0), most = data.limits.map(limit => limit[1]), added = data.limits.map(() => 0), seen = new Set();
    for (const order of list) for (const [at, count, once, effect] of order.uses || []) {
      if (effect === "set") most[at] = count;
      else if (effect === "add") added[at] += count;
      else if (data.limits[at][3]) used[at] = Math.max(used[at], count);
      else if (!once || !seen.has(`${at} ${once}`)) { used[at] += count; seen.add(`${at} ${once}`); }
    }
    return data.limits.map((limit, at) => ({name: limit[0], over: limit[2], used: used[at], most: most[at] + added[at]}));
  };
  const excess = list => tally(list).map(one => Math.max(0, one.used - one.most));
  const tooMany = list => (data.takes > 1 && list.length > data.takes ? list.length - data.takes : 0);
  // Why an order doesn't fit to those that are chosen, or "".
  const against = order => {
    if (isChosen(order)) return "";
    const list = withIt(chosen, order), before = excess(chosen);
    const at = excess(list).findIndex((over, number) => over > before[number]);
    return at >= 0 ? data.limits[at][2] : tooMany(list) > tooMany(chosen) ? sentence("clash.full", {most: data.takes}) : "";
  };
  const left = () => tally(chosen).filter(one => one.name).map(({name, most, used}) => sentence("bar.of_most", {name, left: Math.max(0, most - used), most})).join(", ");

  // The chosen orders. A new order replaces the one for the same unit.
  const isChosen = order => chosen.some(one => one.text === order.text);
  const mayRepeat = order => order.slot === null && things[order.of]?.orders.length === 1 && data.takes > 1 && chosen.length < data.takes;
  const withIt = (list, order) => {
    const alone = order.slot === null && data.takes === 1;
    return [...list.filter(one => (order.slot === null ? !(alone && one.slot === null) : one.slot !== order.slot)), order];
  };
  const change = list => { past.push(chosen); chosen = list; keep(); };
  const isWanting = thing => thing.orders.some(order => data.owes.some(([slot]) => slot === order.slot) && !chosen.some(one => one.slot === order.slot));
  // The next unit without an order opens by itself, after the one that has just got its order.
  const following = of => {
    if (!data.units || data.takes !== null) return -1;
    const at = [...things.slice(of + 1), ...things.slice(0, of + 1)].findIndex(isWanting);
    return at < 0 ? -1 : (of + 1 + at) % things.length;
  };
  const choose = order => {
    if (!isChosen(order) || mayRepeat(order)) change(withIt(chosen, order));
    close();
    const besides = order.along.map(text => known.get(text)).filter(one => one && !isChosen(one));
    const next = following(order.of);
    if (next >= 0) open = next;
    show();
    if (next >= 0) say(sentence("chosen.next", {order: order.text, thing: things[next].name}));
    else say(sentence("chosen.order", {order: order.text, effect: order.does || things[order.of].name}));
    for (const one of besides) say(sentence("chosen.depends", {order: one.text}), one);
  };
  const take = text => change(chosen.filter(one => one.text !== text));
  const orderOf = at => chosen.filter(one => one.of === at);

  // The steps that lead to an order, and which of them can be tapped next.
  // After its steps, an order can have additions, tapped in any order.
  const ENOUGH = "\nenough";
  const stepName = ([said, at]) => (at ? `${said}\n${at}` : said);
  const matching = () => things[open].orders.filter(order => path.every((step, at) => order.steps[at] ? stepName(order.steps[at]) === step : order.adds.includes(step)));
  const ahead = order => order.steps.length > path.length ? [order.steps[path.length]] : order.adds.filter(one => !path.includes(one)).map(one => [one]);
  // A few choices aren't worth a tap of their own for the step before them.
  const FEW = 4;
  const byNumber = (one, other) => one.said.localeCompare(other.said, "en", {numeric: true});
  const inOne = (order, name, said) => ({name, said, at: "", isRare: false, orders: [order], isInOne: true});
  const options = () => {
    const left = matching();
    if (left.length <= 2 * FEW && left.every(order => order.steps.length === path.length && order.adds.length))
      return left.map(order => inOne(order, order.adds.join("\n\n"), order.adds.join(", "))).sort(byNumber);
    const found = new Map(), enough = [];
    const shallow = narrowed === null || matching().some(order => ahead(order).some(one => one[1] === narrowed));
    for (const order of matching()) {
      if (!shallow && !isNarrowed(order)) continue;
      const next = ahead(order);
      if (!next.length) enough.push(order);
      for (const step of next) {
        const name = stepName(step);
        if (!found.has(name)) found.set(name, {name, said: step[0], at: step[1] || "", isRare: Boolean(step[2]), orders: []});
        found.get(name).orders.push(order);
      }
    }
    const steps = [...found.values()];
    const listed = [...enough.map(order => ({name: ENOUGH, said: sentence("button.done"), at: "", orders: [order]})), ...steps.filter(one => !one.isRare), ...steps.filter(one => one.isRare)];
    return listed.filter(one => narrowed === null || one.at === narrowed || (!one.at && one.orders.some(isNarrowed)));
  };
  const placesOf = order => order.steps.slice(path.length).map(one => one[1]).filter(Boolean);
  const isNarrowed = order => placesOf(order).includes(narrowed);
  const step = option => {
    if (option.orders.length === 1) { choose(option.orders[0]); return; }
    path.push(option.name);
    narrowed = null;
    show();
  };
  const enter = at => { open = at; path = []; narrowed = null; show(); };
  const close = () => { open = -1; path = []; narrowed = null; };
  const back = () => {
    if (narrowed !== null) narrowed = null;
    else if (path.length) path.pop();
    else close();
    show();
    document.querySelector(".thing[aria-expanded=true]")?.focus({preventScroll: true});
  };

  // Warnings about orders that contradict each other, from the data that the rules give for each order.
  const nameOf = at => (places[at] || [at])[0];
  const marks = () => {
    const found = tally(chosen).filter(one => one.used > one.most).map(one => one.over), given = new Map();
    if (!data.units) return found;
    for (const one of chosen) if (things[one.of]?.at && one.sort !== "new") given.set(things[one.of].at, one);
    const nameOfThing = one => things[one.of].name;
    const goers = chosen.filter(one => one.sort === "move" && one.ends);
    goers.forEach((one, at) => {
      const other = goers.slice(at + 1).find(two => two.ends === one.ends);
      const thing = nameOfThing(one), place = nameOf(one.ends);
      if (other) found.push(sentence("clash.same_goal", {thing, other: nameOfThing(other), place}));
      const there = given.get(one.ends);
      if (there && there.sort !== "move" && there.sort !== "off" && data.takes === null)
        found.push(sentence("clash.stays", {thing, place, other: nameOfThing(there)}));
    });
    for (const one of chosen) {
      if (!one.helps) continue;
      const [from, to] = one.helps, helped = given.get(from);
      if (!helped) continue;
      const goes = helped.sort === "move" && helped.ends, thing = nameOfThing(one), other = nameOfThing(helped);
      if (from === to && goes) found.push(sentence("clash.held", {thing, other, place: nameOf(goes)}));
      if (from !== to && goes !== to && one.sort === "convoy") found.push(sentence("clash.convoy", {thing, other, place: nameOf(to)}));
      else if (from !== to && goes !== to) found.push(sentence("clash.support", {thing, other, place: nameOf(to)}));
    }
    return found;
  };

  // The map: its places are invisible shapes on top of it. Those that can be tapped are highlighted.
  const board = document.querySelector(".chart .board");
  const spots = document.createElementNS(svgs, "g"), drawn = document.createElementNS(svgs, "g"), aims = document.createElementNS(svgs, "g");
  // The veil dims the map, except for places that can be tapped. It lies under the names, so that it cuts none.
  const spotOf = new Map(), holes = new Map();
  const mask = document.createElementNS(svgs, "mask"), veil = document.createElementNS(svgs, "rect");
  mask.id = "rest";
  const pointOf = at => {
    if (places[at]?.length > 2) return places[at].slice(2);
    const box = spotOf.get(at)?.getBBox();
    return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
  };
  const make = (name, values, into) => {
    const one = document.createElementNS(svgs, name);
    for (const [key, value] of Object.entries(values)) one.setAttribute(key, value);
    into.append(one);
    return one;
  };
  if (board) {
    const {x, y, width, height} = board.viewBox.baseVal;
    make("rect", {x, y, width, height, fill: "#fff"}, mask);
    for (const [name, value] of Object.entries({x, y, width, height, class: "veil", mask: "url(#rest)"})) veil.setAttribute(name, value);
    for (const [at, [, shape]] of Object.entries(places)) {
      // A copy has the outline of a shape without its colours.
      const drawing = by("b-" + shape);
      const outline = drawing && Object.fromEntries(["d", "points"].map(one => [one, drawing.getAttribute(one)]).filter(one => one[1]));
      // A point of a network has a box, and a second one around its name, which is only for fingers.
      const [first, ...more] = drawing ? [] : shape.split(/(?<=Z)/);
      const [name, value] = drawing ? [drawing.tagName, outline] : ["path", {d: first}];
      spotOf.set(at, make(name, {...value, class: "spot", "data-spot": at}, spots));
      if (more.length) make("path", {d: more.join(""), class: "spot", "data-spot": at, "data-more": ""}, spots);
      holes.set(at, make(name, {...value, fill: "none"}, mask));
    }
    drawn.setAttribute("class", "drawn");
    aims.setAttribute("class", "aims");
    // The places lie under units and names, if the drawing has its shapes before its first text.
    const parts = [...board.children], shapes = parts.filter(one => one.id || one.querySelector("[id]"));
    const text = parts.find(one => one.tagName === "text" || one.querySelector("text"));
    const isBelow = text && shapes.length && parts.indexOf(text) > parts.indexOf(shapes.at(-1));
    if (isBelow) text.before(veil, spots);
    else board.append(spots, veil);
    board.append(mask, aims, drawn);
  }
  const allMine = at => things.flatMap((thing, of) => (thing.at && thing.at === at ? [of] : []));
  const mine = at => allMine(at)[0] ?? -1;
  // The places that can be tapped next: those of the next steps, and of later ones behind a step without a place.
  const reachedBy = one => (one.at ? [one.at] : one.orders.flatMap(placesOf));
  const nextAt = (isRare = false) => (open < 0 ? [] : options().filter(one => isRare || !one.isRare).flatMap(reachedBy));
  const between = ([x, y], [u, v], share) => [x + (u - x) * share, y + (v - y) * share];
  const line = (group, from, to, arrow) => {
    const far = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1, size = Math.min(13 * pixel(), far / 2);
    const end = arrow ? between(from, to, 1 - size / far) : to;
    both("path", {d: `M${from}L${end}`}, group);
    if (!arrow) return;
    const [dx, dy] = [(to[0] - from[0]) / far, (to[1] - from[1]) / far], half = size * .55;
    const wing = side => [end[0] - dy * half * side, end[1] + dx * half * side];
    make("path", {class: "tip", d: `M${to}L${wing(1)}L${wing(-1)}Z`}, group);
  };
  const pixel = () => board.viewBox.baseVal.width / board.getBoundingClientRect().width || 1;
  const both = (name, values, group) => { for (const kind of ["halo", "ink"]) make(name, {...values, class: kind}, group); };
  const drawCross = (group, [x, y]) => {
    const far = Math.max(14, 8 * pixel());
    both("path", {d: `M${x - far} ${y - far}L${x + far} ${y + far}M${x - far} ${y + far}L${x + far} ${y - far}`}, group);
  };
  // A card or a point without a place for a unit gets a thick edge, and a tick in its corner.
  const drawEdge = (group, spot) => {
    const {x, y, width, height} = spot.getBBox(), size = Math.min(6 * pixel(), width / 4, height / 3);
    const outline = Object.fromEntries(["d", "points"].map(one => [one, spot.getAttribute(one)]).filter(one => one[1]));
    both(spot.tagName, outline, group);
    both("path", {d: `M${x + width - 2 * size} ${y}l${size * .7} ${size * .8}l${size * 1.3} ${-size * 1.8}`}, group);
  };
  // The open unit has a thick ring, and so has each place for its next step: a full one if it can go there, a
  // dashed one if it can support there. A place without a point for a unit gets an edge instead.
  const ordersAt = at => options().filter(one => !one.isRare && reachedBy(one).includes(at))
    .flatMap(one => (one.at ? one.orders : one.orders.filter(order => placesOf(order).includes(at))));
  const ring = (at, kind, far) => {
    const spot = spotOf.get(at), [cx, cy] = places[at]?.slice(2) || [];
    if (!spot) return;
    const group = make("g", {class: kind, "data-aim": at}, aims);
    if (cx !== undefined) { both("circle", {cx, cy, r: Math.max(far, far * .6 * pixel())}, group); return; }
    both(spot.tagName, Object.fromEntries(["d", "points"].map(one => [one, spot.getAttribute(one)]).filter(one => one[1])), group);
  };
  const aim = () => {
    aims.textContent = "";
    if (open < 0) return;
    for (const at of new Set(nextAt())) {
      const orders = ordersAt(at);
      if (orders.some(order => !order.helps)) ring(at, "go", 20);
      if (orders.some(order => order.helps)) ring(at, "aid", orders.every(order => order.helps) ? 20 : 26);
    }
    if (things[open].at) ring(things[open].at, "from", 23);
  };
  const draw = () => {
    aim();
    drawn.textContent = "";
    for (const order of chosen) {
      const at = things[order.of]?.at || order.steps?.at(-1)[1], from = pointOf(at);
      if (!from) continue;
      const group = make("g", {class: order.sort === "off" ? "gone" : order.sort}, drawn), to = pointOf(order.ends);
      if (order.sort === "move" && to) line(group, from, to, true);
      else if (order.helps && pointOf(order.helps[0]) && pointOf(order.helps[1])) {
        const [first, last] = order.helps.map(pointOf);
        line(group, from, between(first, last, .6), false);
      } else if (order.sort === "off") drawCross(group, from);
      else if (places[at].length > 2) both("circle", {cx: from[0], cy: from[1], r: Math.max(20, 9 * pixel())}, group);
      else drawEdge(group, spotOf.get(at));
    }
  };
  const light = () => {
    const next = new Set(nextAt()), far = new Set(nextAt(true));
    for (const one of spots.children) {
      if ("more" in one.dataset) continue;
      const at = one.dataset.spot, own = mine(at);
      one.setAttribute("class", "spot");
      if (own >= 0) one.classList.add("mine");
      if (own >= 0 && orderOf(own).length) one.classList.add("given");
      if (far.has(at)) one.classList.add(...(next.has(at) ? ["can"] : ["can", "rare"]));
      if (open >= 0 && things[open].at === at) one.classList.add("open");
      const isBright = next.has(at) || (data.units && open >= 0 ? things[open].at === at : own >= 0);
      holes.get(at).setAttribute("fill", isBright ? "#000" : "none");
    }
    // On a network of points the pieces stand beside the boxes, where a veil would dim them.
    veil.style.display = !spots.querySelector("[data-more]") && (far.size || things.some(thing => thing.at)) ? "" : "none";
  };
  const touch = at => {
    const all = open < 0 ? [] : options().filter(one => reachedBy(one).includes(at)), usual = all.filter(one => !one.isRare);
    const here = usual.length ? usual : all, other = mine(at);
    // A unit that isn't open can be meant for an order of its own.
    const isOther = data.units && open >= 0 && other >= 0 && other !== open && isWanting(things[other]);
    if (here.length === 1 && !isOther) {
      const [one] = here, orders = one.at === at ? one.orders : one.orders.filter(order => placesOf(order).includes(at));
      const reasons = orders.map(against);
      if (reasons.every(Boolean)) say(reasons[0]);
      else if (one.at === at) step(one);
      else if (orders.length === 1) choose(orders[0]);
      else if (one.isRare) { path.push(one.name); narrowed = null; touch(at); }
      else { narrowed = at; show(); }
    } else if (here.length) { narrowed = at; show(); }
    else if (open >= 0 && things[open].at === at) { close(); show(); }
    else if (allMine(at).length > 1) {
      say(sentence("hint.whose", {place: nameOf(at)}));
      for (const of of allMine(at)) button(by("say"), upper(things[of].name), () => enter(of));
    }
    else if (other >= 0) enter(other);
    else if (open >= 0) say(sentence("hint.uninvolved", {thing: things[open].name, place: nameOf(at)}));
    else {
      const going = things.flatMap((thing, of) => (thing.orders.some(order => order.steps.some(one => one[1] === at)) ? [of] : []));
      const go = of => { enter(of); touch(at); };
      if (going.length === 1 && data.units === false) go(going[0]);
      else say(going.length ? sentence("hint.whose", {place: nameOf(at)}) : sentence("hint.nothing", {place: nameOf(at)}));
      if (going.length > 1 || data.units) for (const of of going) button(by("say"), upper(things[of].name), () => go(of));
    }
  };

  // The frame of the map. It begins with the reader's own front: their pieces, and where these can go.
  const FINGER = 14, FINGERTIP = 5, CLOSEST_FRONT = 3, WIDEST_FRONT = 1.7, SMALL_FRAME_PX = 600, FEW_PLACES = 40;
  let before = null, hasFront = true;
  const lens = board && mapFrame({
    changed: () => {
      by("whole").textContent = lens.isWhole() ? sentence("button.front") : data.units ? sentence("button.whole") : sentence("button.board");
      by("whole").hidden = lens.isWhole() && !hasFront;
      draw();
    },
    // The first of two taps on the map was for the map: what it chose is taken back.
    twice: () => { if (before) { ({chosen, past, open, path, narrowed} = before); keep(); show(); } },
  });
  // A goal counts with the point where a piece would stand, because some places are as large as an ocean.
  const boxOf = at => {
    const point = places[at]?.slice(2) || [], side = board.viewBox.baseVal.width / 12;
    return point.length && mine(at) < 0 ? {x: point[0] - side / 2, y: point[1] - side / 2, width: side, height: side} : spotOf.get(at)?.getBBox();
  };
  const areaOf = ats => {
    const boxes = [...new Set(ats)].map(boxOf).filter(Boolean);
    return boxes.length ? around(boxes, .03 * around(boxes, 0).width) : null;
  };
  const nearOf = thing => [thing.at, ...thing.orders.filter(order => !order.steps.some(one => one[2])).map(order => order.ends)].filter(Boolean);
  // A front that is too wide for a small frame is shown where all of the reader's units are, or else most of them, or
  // the pieces with most orders.
  const toFront = () => {
    const area = areaOf(things.flatMap(nearOf)), {width, height} = board.viewBox.baseVal, most = width / WIDEST_FRONT;
    const isSmall = board.closest(".map").clientWidth < SMALL_FRAME_PX && spots.childElementCount > FEW_PLACES;
    const own = isSmall && area && area.width > most ? things.filter(thing => thing.at && spotOf.has(thing.at)) : [];
    const standing = own.map(thing => pointOf(thing.at)).map(([x, y]) => ({x, y, width: 0, height: 0}));
    const all = data.units && standing.length > 1 ? around(standing, .06 * width) : null;
    const parts = own.map(thing => { const {x, y, width: wide, height: high} = boxOf(thing.at); return {x, y, width: wide, height: high, weight: data.units ? 1 : thing.orders.length}; });
    const best = mostTogether(parts, most, Math.min(height, most));
    if (all && all.width <= most && all.height <= height / WIDEST_FRONT) lens.fit(all, CLOSEST_FRONT);
    else if (best.length) lens.fit(around(best, .06 * width), CLOSEST_FRONT);
    else if (area || spots.childElementCount) lens.fit(area || spots.getBBox(), CLOSEST_FRONT);
    else lens.whole();
    hasFront = !lens.isWhole();
    by("whole").hidden = !hasFront;
  };
  const spotAt = (x, y) => document.elementsFromPoint(x, y).map(one => one.dataset?.spot).find(Boolean);
  const isLit = at => (open < 0 ? mine(at) >= 0 : nextAt().includes(at));
  board?.addEventListener("click", event => {
    const {clientX: x, clientY: y} = event, exact = spotAt(x, y);
    before = {chosen, past: [...past], open, path: [...path], narrowed};
    const around = far => new Set([-far, 0, far].flatMap(dx => [-far, 0, far].map(dy => spotAt(x + dx, y + dy))));
    const lit = [...around(FINGER)].filter(at => at && isLit(at)), isSure = isLit(exact) && around(FINGERTIP).size === 1;
    if (event.pointerType !== "mouse" && lit.length > 1 && !isSure && !lens.isClosest()) {
      lens.closer(x, y);
      say(sentence("hint.zoomed"));
    } else if (exact && (isLit(exact) || !lit.length)) touch(exact);
    else if (lit.length === 1) touch(lit[0]);
    else if (exact) touch(exact);
  });
  by("whole")?.addEventListener("click", () => (lens.isWhole() ? toFront() : lens.whole()));

  // The list offers the same choices as the map, as buttons.
  const button = (into, label, act, note) => {
    const one = document.createElement("button");
    one.type = "button";
    one.textContent = label;
    if (note) one.append(Object.assign(document.createElement("small"), {textContent: note}));
    one.addEventListener("click", act);
    into.append(one);
    return one;
  };
  const sortWords = {
    move: sentence("kind.move"), support: sentence("kind.support"), convoy: sentence("kind.convoy"),
    off: sentence("kind.off"), new: sentence("kind.new"), stay: sentence("kind.stay"),
  };
  const kinds = thing => {
    const unique = words => [...new Set(words)].join(", ");
    if (!thing.at && thing.orders.length < 3) return unique(thing.orders.map(order => order.steps[0][0]));
    return data.units ? unique(thing.orders.map(order => sortWords[order.sort])) : sentence("kind.options", {count: thing.orders.length});
  };
  const listed = (thing, at) => {
    const row = document.createElement("li"), given = orderOf(at);
    // A thing with one order needs no second tap.
    const only = thing.orders.length === 1 && !given.length ? thing.orders[0] : null;
    const head = button(row, "", () => (only ? (against(only) ? say(against(only)) : choose(only)) : open === at ? (close(), show()) : enter(at)));
    head.className = "thing";
    head.dataset.thing = at;
    head.setAttribute("aria-expanded", String(open === at));
    const name = Object.assign(document.createElement("span"), {textContent: upper(thing.name)});
    const texts = given.map(one => one.text).join(", ");
    const said = Object.assign(document.createElement("span"), {className: texts ? "text" : "none", textContent: texts || kinds(thing)});
    head.setAttribute("aria-label", `${upper(thing.name)}: ${texts || kinds(thing)}`);
    head.append(name, said);
    if (open === at) row.append(choices(thing, given));
    return row;
  };
  const unfold = option => {
    const next = path.length + 1;
    const isShort = !option.at && !option.isRare && option.name !== ENOUGH && option.orders.length > 1 && option.orders.length <= FEW;
    if (!isShort || option.orders.some(order => order.steps.length !== next + 1 || order.steps[next][1] || order.adds.length)) return [option];
    return option.orders.map(order => {
      const [said] = order.steps[next];
      return inOne(order, `${option.name}\n\n${said}`, said === order.does || said.startsWith(option.said) ? said : `${option.said} ${said}`);
    }).sort(byNumber);
  };
  const countOf = option => new Set(option.orders.map(order => (order.steps[path.length + 1] ? stepName(order.steps[path.length + 1]) : order.text))).size;
  // Supports and convoys of orders that are chosen already, which need one tap.
  const fitting = thing => thing.orders.filter(order => order.helps && !isChosen(order) && chosen.some(one => {
    const at = things[one.of]?.at;
    return at && at === order.helps[0] && (one.sort === "move" ? one.ends : at) === order.helps[1];
  }));
  const choices = (thing, given) => {
    const box = document.createElement("div");
    box.className = "choices";
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", [upper(thing.name), ...path.map(one => one.split("\n")[0])].join(", "));
    const isStart = !path.length && narrowed === null;
    for (const order of isStart ? fitting(thing) : [])
      button(box, upper(order.steps.filter(one => !one[2]).map(one => one[0]).join(" ")), () => choose(order), order.does).dataset.fits = order.text;
    for (const option of options().flatMap(unfold)) {
      const last = option.orders.length === 1 ? option.orders[0] : null;
      const rest = last && option.name !== ENOUGH && !option.isInOne ? [...last.steps.slice(path.length + 1).map(one => one[0]), ...last.adds.filter(one => one !== option.name && !path.includes(one))].join(", ") : "";
      const label = last && rest === last.does && rest ? rest : option.isRare ? `${option.said}: ${last ? rest : countOf(option)}` : last && rest ? `${option.said}${path.length < last.steps.length ? "" : ","} ${rest}` : option.said;
      const reasons = option.orders.map(against), barred = reasons.every(Boolean) ? reasons[0] : "";
      const act = barred ? () => say(barred) : () => step(option);
      // A label that says what the order does has the order's text below it, or else it is the other way round.
      const isGoal = last && data.units && last.sort === "move" && last.does.endsWith(label);
      const note = !last ? (option.isRare ? "" : sentence("kind.options", {count: countOf(option)})) : isGoal ? sortWords.move : label === last.does ? last.text : last.does;
      const one = button(box, upper(label), act, barred || note);
      if (barred) one.setAttribute("aria-disabled", "true");
      one.dataset.step = option.name;
      if (last && isChosen(last)) one.classList.add("done");
    }
    const other = narrowed === null ? -1 : mine(narrowed);
    if (data.units && other >= 0 && other !== open) button(box, sentence("button.instead", {thing: things[other].name}), () => enter(other)).classList.add("aside");
    button(box, isStart ? sentence("button.close") : sentence("button.back"), back).classList.add("aside");
    if (isStart && data.units && past.length) button(box, sentence("button.undo"), undo).classList.add("aside");
    if (isStart && data.units && fillable().length > 1) button(box, by("fill").textContent, fill).classList.add("aside");
    if (isStart) for (const one of given) button(box, sentence("button.remove", {order: one.text}), () => { take(one.text); show(); }).classList.add("aside");
    return box;
  };

  // What is still due and what is left to use, in one statement.
  const progress = () => {
    const missing = data.owes.filter(([slot]) => !chosen.some(one => one.slot === slot)), rest = left();
    if (rest) {
      const wanted = data.takes !== null ? (chosen.length < data.takes ? [data.kind] : []) : missing.map(owed => owed[1]);
      const said = wanted.length ? sentence("bar.still_due", {due: wanted.join(", ")}) : `${sentence("bar.orders", {count: chosen.length})}.`;
      return `${said} ${sentence("bar.left", {left: rest})}`;
    }
    const due = data.takes === null ? data.owes.length : data.takes;
    const done = data.takes === null ? due - missing.length : Math.min(due, chosen.length), more = chosen.length - done;
    const orders = due ? sentence("bar.done", {done, count: due}) : sentence("bar.orders", {count: done});
    return more ? sentence("bar.and_more", {orders, more}) : orders;
  };

  // The email.
  const lines = () => {
    const rank = one => (one.of < 0 ? things.length : one.of);
    const sorted = data.takes === null ? [...chosen].sort((a, b) => rank(a) - rank(b)) : chosen;
    return [...sorted.map(one => one.text), ...by("more").value.split("\n").map(one => one.trimEnd()).filter(Boolean)];
  };
  const told = () => decodeURIComponent(new URLSearchParams(location.hash.slice(1)).get("to") || "");
  const address = () => data.to || by("to").value.trim() || told();
  const write = () => {
    const text = lines();
    by("letter").textContent = text.join("\n") || sentence("email.empty");
    const link = `mailto:${encodeURIComponent(address()).replace(/%40/g, "@").replace(/%2B/g, "+")}?subject=${encodeURIComponent(data.subject)}&body=${encodeURIComponent(text.join("\r\n"))}`;
    by("send").href = text.length && address() ? link : "#h-letter";
    by("go").href = text.length ? by("send").href : "#h-things";
    for (const id of ["send", "go"]) by(id).classList.toggle("idle", !text.length);
    by("count").textContent = progress();
    document.documentElement.style.setProperty("--bar", `${document.querySelector(".reach").offsetHeight}px`);
    const notes = [!address() && sentence("email.ask_address"), link.length > data.safe && sentence("email.long")];
    by("after").textContent = text.length ? notes.filter(Boolean).join(" ") : "";
  };
  const say = (text, order) => {
    const box = by("say");
    if (!order) { box.textContent = text; return; }
    box.append(` ${text} `);
    button(box, sentence("chosen.add", {order: order.text}), () => choose(order));
  };
  const named = text => known.get(text) || {text, slot: text, of: -1, sort: "stay", along: []};
  const begin = text => { if (known.has(text) || data.rest.includes(text)) chosen = withIt(chosen, named(text)); };
  const fillable = () => data.rest.map(named)
    .filter(one => !chosen.some(two => (one.slot !== null ? two.slot === one.slot : data.takes !== null && chosen.length >= data.takes)));
  const show = () => {
    const held = document.activeElement?.dataset?.thing;
    by("things").replaceChildren(...things.map(listed));
    const list = by("marks");
    list.replaceChildren(...marks().map(text => Object.assign(document.createElement("li"), {textContent: text})));
    by("undo").disabled = !past.length;
    by("clear").disabled = !chosen.length;
    by("fill").disabled = !fillable().length;
    const owed = data.owes.filter(([slot]) => !chosen.some(one => one.slot === slot)), isDone = data.owes.length && !owed.length;
    const due = owed.length && data.owes.length < 4 ? owed.map(one => one[1]).join(", ") : data.kind;
    by("wanted").textContent = isDone ? sentence("bar.nothing_due") : sentence("bar.due", {due});
    light();
    draw();
    write();
    if (open >= 0 && board) { const area = areaOf(path.length ? nextAt() : nearOf(things[open])); if (area) lens.see(area); }
    if (open >= 0) {
      const head = document.querySelector(".thing[aria-expanded=true]");
      // On a phone the choices are a sheet at the foot, and the map with its hint is above it.
      const box = document.querySelector(".choices");
      if (box && getComputedStyle(box).position === "fixed") by("chart").scrollIntoView({block: "start"});
      else head?.closest("li").scrollIntoView({block: "nearest"});
      if (held === String(open)) head?.focus({preventScroll: true});
      else if (held !== undefined || document.activeElement === document.body) (document.querySelector(".choices button") || head)?.focus({preventScroll: true});
      const thing = upper(things[open].name);
      if (path.length || narrowed !== null) say(`${[thing, ...path.map(one => one.split("\n")[0])].join(" ")} …`);
      else say(aimed(thing) || (nextAt().some(Boolean) ? sentence("hint.here_or_map", {thing}) : sentence("hint.here", {thing})));
    } else if (held !== undefined) document.querySelector(`[data-thing="${held}"]`)?.focus({preventScroll: true});
  };
  // What the rings on the map mean, if some are full and some are dashed.
  const aimed = thing => {
    const orders = [...new Set(nextAt())].flatMap(ordersAt), helps = new Set(orders.filter(order => order.helps).map(order => sortWords[order.sort]));
    return data.units && helps.size && orders.some(order => !order.helps) ? sentence("hint.rings", {thing, help: [...helps].join(" / ")}) : "";
  };
  // The unit whose order is taken back is open again.
  const undo = () => {
    const was = chosen;
    if (past.length) { chosen = past.pop(); keep(); }
    close();
    const gone = data.units && was.find(one => !isChosen(one));
    if (gone && gone.of >= 0) open = gone.of;
    show();
    say([sentence("chosen.undone"), open >= 0 && sentence("hint.here", {thing: upper(things[open].name)})].filter(Boolean).join(" "));
  };
  by("undo").addEventListener("click", undo);
  by("clear").addEventListener("click", () => { change([]); close(); show(); say(sentence("chosen.cleared")); });
  const fill = () => {
    let list = chosen;
    for (const order of fillable()) if (data.takes === null || list.length < data.takes) list = withIt(list, order);
    change(list);
    close();
    show();
    say(sentence("chosen.filled"));
  };
  by("fill").addEventListener("click", fill);
  by("forget").addEventListener("click", () => {
    for (const name of storedTurns()) store.removeItem(name);
    [chosen, past] = [[], []];
    data.filed.forEach(begin);
    close();
    show();
    say(sentence("chosen.forgotten"));
  });
  by("copy").addEventListener("click", async () => {
    const text = lines().join("\n");
    try { await navigator.clipboard.writeText(text); }
    catch {
      const box = Object.assign(document.createElement("textarea"), {value: text});
      document.body.append(box);
      box.select();
      document.execCommand("copy");
      box.remove();
    }
    by("after").textContent = sentence("email.copied");
  });
  if (navigator.share) {
    by("share").hidden = false;
    by("share").addEventListener("click", () => navigator.share({title: data.subject, text: lines().join("\n")}).catch(() => {}));
  }
  for (const id of ["more", "to"]) by(id).addEventListener("input", write);
  document.addEventListener("keydown", event => { if (event.key === "Escape" && open >= 0) { event.preventDefault(); back(); } });

  document.documentElement.classList.add("live");
  const first = [...new Set(data.rest.map(text => known.get(text)?.steps[0][0]))];
  const word = first.length === 1 && first[0] && data.takes === null && data.units ? first[0] : "";
  by("fill").textContent = word ? sentence("button.fill_with", {order: upper(word)}) : sentence("button.fill");
  if (told()) by("addressed").hidden = true;
  window.addEventListener("storage", event => {
    if (event.key !== key) return;
    chosen = [];
    (recall() || data.filed).forEach(begin);
    close();
    show();
  });
  const recalled = recall();
  (recalled || data.filed).forEach(begin);
  by("forget").hidden = !store;
  by("kept").textContent = store ? sentence("chosen.kept") : sentence("chosen.not_kept");
  if (board) { lens.show(document.querySelector(".chart .map")); toFront(); }
  show();
  // What to do first depends on what can be ordered, and where it can be tapped.
  const hint = () => {
    const own = things.filter(thing => thing.at), sorts = new Set(own.flatMap(thing => thing.orders.map(order => order.sort)));
    if (!board || !spots.childElementCount) return sentence("hint.list");
    if (!own.length) return sentence("hint.places");
    const isOnly = sort => sorts.size === 1 && sorts.has(sort);
    if (isOnly("off")) return sentence("hint.removals");
    if (isOnly("new")) return sentence("hint.builds");
    return data.units && sorts.has("move") ? sentence("hint.units") : sentence("hint.pieces");
  };
  if (chosen.length) say(recalled ? sentence("hint.recalled") : sentence("hint.saved"));
  else say(board && !matchMedia("(pointer: coarse)").matches ? `${hint()} ${sentence("hint.clicks")}` : hint());
})();

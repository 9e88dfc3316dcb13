"use strict";
// Of some parts of a map, those that a frame of this size shows together, so that their weights are the most.
const mostTogether = (all, wide, high) => {
  const sum = some => some.reduce((total, one) => total + one.weight, 0);
  let best = [];
  for (const {x} of all) for (const {y} of all) {
    const some = all.filter(one => one.x >= x && one.y >= y && one.x + one.width <= x + wide && one.y + one.height <= y + high);
    if (sum(some) > sum(best)) best = some;
  }
  return best;
};
// The part of a map around some parts, with a margin.
const around = (parts, margin) => {
  const left = Math.min(...parts.map(one => one.x)) - margin, top = Math.min(...parts.map(one => one.y)) - margin;
  const right = Math.max(...parts.map(one => one.x + one.width)) + margin, low = Math.max(...parts.map(one => one.y + one.height)) + margin;
  return {x: left, y: top, width: right - left, height: low - top};
};
// A map in a frame that scrolls. Two fingers, two taps, Ctrl with a wheel, and the page's buttons enlarge it where
// they point; one finger moves it. The order page and the archive share this.
// At first all of the map is in the frame. changed: what to do when its size has changed. twice: what to do
// before the second of two taps enlarges the map, whose first tap was one of the page's own. moved: what to do when the
// reader has moved or enlarged the map.
const mapFrame = ({changed = () => {}, twice = () => {}, moved = () => {}}) => {
  const MOST = 6, STEP = 2, LENS = 3, TWICE_MS = 300, TWICE_PX = 16;
  const heard = new WeakSet(), watch = new ResizeObserver(() => requestAnimationFrame(() => refit(shown)));
  let box = null, board = null, zoom = 1, wide = 0, tall = 0, pointed = null, last = null, pinch = null, shown = null;

  const size = () => {
    const {width, height} = board.viewBox.baseVal, room = wide = box.clientWidth;
    tall = parseFloat(getComputedStyle(box).maxHeight);
    const most = tall || Infinity, high = Math.min(most, room * height / width);
    const share = Math.min(1, high * width / height / room);
    board.style.width = `${zoom * share * 100}%`;
    // The frame keeps its height, so that nothing below it moves.
    box.style.height = `${high}px`;
    // A box that scrolls must be reachable by keyboard.
    if (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "Map");
    } else for (const one of ["tabindex", "role", "aria-label"]) box.removeAttribute(one);
  };
  // When the window has another size, the frame shows the same part as before.
  const refit = share => {
    if (!box.clientWidth || (box.clientWidth === wide && Object.is(parseFloat(getComputedStyle(box).maxHeight), tall))) return;
    size();
    if (share) bring(share, middle());
    changed();
  };
  window.addEventListener("resize", () => { const share = shown; requestAnimationFrame(() => box && refit(share)); });
  const middle = () => { const {left, top} = box.getBoundingClientRect(); return [left + box.clientWidth / 2, top + box.clientHeight / 2]; };
  const shareAt = ([x, y]) => { const {left, top, width, height} = board.getBoundingClientRect(); return [(x - left) / width, (y - top) / height]; };
  const pointAt = ([x, y]) => { const {left, top, width, height} = board.getBoundingClientRect(); return [left + x * width, top + y * height]; };
  const isSeen = ([x, y]) => { const {left, top} = box.getBoundingClientRect(); return x >= left && x <= left + box.clientWidth && y >= top && y <= top + box.clientHeight; };
  // A point of the map, given as its share of the width and the height, comes to a point of the screen.
  const bring = (share, to) => { const [x, y] = pointAt(share); box.scrollBy(x - to[0], y - to[1]); };
  const enlarge = (wanted, share, to) => {
    zoom = Math.max(1, Math.min(MOST, wanted));
    size();
    bring(share, to);
    changed();
  };
  // What was pointed at last stays where it is on the screen, or else the middle of what is shown.
  const zoomTo = (wanted, at) => {
    const seen = pointed && isSeen(pointAt(pointed)), share = at ? shareAt(at) : seen ? pointed : shareAt(middle());
    enlarge(wanted, share, at || pointAt(share));
  };

  // A part of the map, in units of its drawing.
  const edges = ({x, y, width, height}) => {
    const {x: left, y: top, width: wide, height: high} = board.viewBox.baseVal;
    return [[(x - left) / wide, (y - top) / high], [(x + width - left) / wide, (y + height - top) / high]];
  };
  const fit = (area, most = MOST) => {
    zoom = 1;
    size();
    const [[left, top], [right, low]] = edges(area), {width, height} = board.getBoundingClientRect();
    const wanted = Math.min(most, box.clientWidth / width / (right - left), box.clientHeight / height / (low - top));
    enlarge(wanted, [(left + right) / 2, (top + low) / 2], middle());
  };
  const see = area => {
    const [first, second] = edges(area), [left, top] = pointAt(first), [right, low] = pointAt(second);
    if (isSeen([left, top]) && isSeen([right, low])) return;
    if (right - left > box.clientWidth || low - top > box.clientHeight) fit(area, zoom);
    else bring([(first[0] + second[0]) / 2, (first[1] + second[1]) / 2], middle());
  };

  const fingers = ({touches: [one, other]}) => ({
    at: [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2],
    far: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1,
  });
  const begin = event => {
    pinch = null;
    if (event.touches.length !== 2) return;
    const {at, far} = fingers(event);
    pinch = {far, zoom, share: shareAt(at)};
  };
  const spread = event => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const {at, far} = fingers(event);
    moved();
    enlarge(pinch.zoom * far / pinch.far, pinch.share, at);
  };
  const roll = event => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    moved();
    zoomTo(zoom * Math.exp(-event.deltaY / 200), [event.clientX, event.clientY]);
  };
  const tap = event => {
    if (!event.detail) return; // It was a key.
    const {clientX: x, clientY: y, timeStamp} = event;
    const isSecond = last && timeStamp - last[2] < TWICE_MS && Math.hypot(x - last[0], y - last[1]) < TWICE_PX;
    last = isSecond ? null : [x, y, timeStamp];
    if (!isSecond) return;
    event.stopPropagation();
    twice();
    moved();
    zoomTo(zoom < MOST - .1 ? zoom * STEP : 1, [x, y]);
  };
  const listen = () => {
    if (heard.has(box)) return;
    heard.add(box);
    watch.observe(box);
    box.addEventListener("pointerdown", event => { pointed = shareAt([event.clientX, event.clientY]); });
    box.addEventListener("scroll", () => { shown = shareAt(middle()); }, {passive: true});
    box.addEventListener("click", tap, true);
    box.addEventListener("touchstart", begin, {passive: true});
    box.addEventListener("touchmove", spread, {passive: false});
    box.addEventListener("touchmove", () => { if (zoom > 1) moved(); }, {passive: true});
    box.addEventListener("touchend", begin, {passive: true});
    box.addEventListener("wheel", roll, {passive: false});
  };
  return {
    // Another map takes the place of the one before, as large and with the same part in view.
    show: (frame, at = [0, 0]) => {
      [box, board] = [frame, frame.querySelector(".board")];
      listen();
      size();
      box.scrollTo(...at);
    },
    scrolled: () => (box ? [box.scrollLeft, box.scrollTop] : [0, 0]),
    zoomBy: factor => { moved(); zoomTo(zoom * factor); },
    // A tap enlarged the map by itself, so that the next tap is a first one.
    closer: (x, y) => { last = null; zoomTo(zoom * LENS, [x, y]); },
    whole: () => zoomTo(1),
    fit,
    see,
    isWhole: () => zoom < 1.05,
    isClosest: () => zoom > MOST - .1,
  };
};

"use strict";
(() => {
  const filters = document.getElementById("filters"), count = document.getElementById("count");
  const cards = [...document.querySelectorAll(".cards li[data-kind]")];
  const fits = (card, {dataset, value}) => !value || card.dataset[dataset.by].split("|").includes(value);
  const games = number => number === 1 ? "1 game" : `${number} games`;
  const sift = () => {
    const asked = [...filters.querySelectorAll("select")];
    let left = 0;
    for (const card of cards) {
      card.hidden = !asked.every(one => fits(card, one));
      left += !card.hidden;
    }
    count.textContent = left === cards.length ? games(left) : `${left} of ${games(cards.length)}`;
  };
  // For a running game the days since its last turn say more than its date.
  const days = time => Math.floor((Date.now() - Date.parse(time.dateTime)) / 86400000);
  for (const time of document.querySelectorAll("[data-result=running] time")) {
    const ago = Math.max(0, days(time));
    time.title = time.textContent;
    time.textContent = ago === 0 ? "today" : ago === 1 ? "1 day ago" : `${ago} days ago`;
  }
  for (const one of document.querySelectorAll("[data-deadline]"))
    if (Date.parse(one.dataset.deadline) < Date.now()) one.textContent = `Overdue: the deadline was ${one.textContent.slice("Deadline: ".length)}`;
  filters.addEventListener("change", sift);
  sift();
})();

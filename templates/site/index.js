"use strict";
(() => {
  const filters = document.getElementById("filters"), count = document.getElementById("count");
  const cards = [...document.querySelectorAll(".cards li[data-kind]")];
  const fits = (card, {dataset, value}) => !value || card.dataset[dataset.by].split("|").includes(value);
  const sift = () => {
    const asked = [...filters.querySelectorAll("select")];
    let left = 0;
    for (const card of cards) {
      card.hidden = !asked.every(one => fits(card, one));
      left += !card.hidden;
    }
    count.textContent = `${left} of ${cards.length} games`;
  };
  filters.addEventListener("change", sift);
  sift();
})();

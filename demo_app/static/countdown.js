// Counts down to the next message in the page's own words; without it they stay true for the moment they were written.
for (const place of document.querySelectorAll("[data-wait]")) {
  const until = Date.now() + 1000 * Number(place.dataset.wait);
  const tick = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    place.textContent = left > 0 ? `in ${left} second${left === 1 ? "" : "s"}` : "now";
    if (left > 0) setTimeout(tick, 250);
  };
  tick();
}

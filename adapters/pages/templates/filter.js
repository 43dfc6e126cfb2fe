
"use strict";
// Shows of a page what is chosen in its filter. An item is told in several places: its words are
// its author and those of all lines about it alone and of what these stand under, else of any line.
// Texts are only read.
(() => {
  const form = document.getElementById("filter");
  const [typed, count] = [form.querySelector("[type=search]"), form.querySelector("output")];
  const only = document.getElementById("only-you");
  const plain = (text) => text.normalize("NFKC").toLowerCase();
  const keys = (list) => list.split(" ").filter(Boolean);

  const lines = [...document.querySelectorAll("[data-about]")].map((node) => ({
    node,
    keys: keys(node.dataset.about),
    isAlone: node.querySelector("[data-about]") !== null || !node.dataset.about.includes(" "),
    text: plain([...node.childNodes].map(said).join("")),
  }));
  const around = [...document.querySelectorAll("main section, main li")]
    .filter((node) => node.querySelector("[data-about]")).reverse();
  const words = new Map();
  for (const alone of [true, false])
    for (const line of lines.filter((each) => each.isAlone === alone))
      for (const key of line.keys)
        if (alone || !words.get(key)?.alone)
          words.set(key, { alone, text: `${words.get(key)?.text ?? ""} ${line.text}` });
  for (const author of form.querySelectorAll("option"))
    for (const key of keys(author.dataset.keys))
      if (words.has(key)) words.get(key).text += ` ${plain(author.value)}`;
  const yours = new Set(lines.filter((each) => each.node.matches(".you")).flatMap((each) => each.keys));
  const groups = [...form.querySelectorAll("fieldset")].map((group) =>
    [...group.querySelectorAll("input")].map((box) => ({ box, keys: new Set(keys(box.dataset.keys)) })));

  // The words of a line without those of lines about other items that stand under it.
  function said(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    return node.dataset?.about === undefined ? [...node.childNodes].map(said).join("") : "";
  }

  function choose() {
    const wanted = plain(typed.value).split(/\s+/).filter(Boolean);
    const chosen = groups.map((group) => group.filter((each) => each.box.checked)).filter((group) => group.length);
    const isChosen = (key) => wanted.every((word) => words.get(key).text.includes(word))
      && chosen.every((group) => group.some((each) => each.keys.has(key)));
    const found = new Set([...words.keys()].filter(isChosen));
    for (const line of lines) line.node.hidden = !line.keys.some((key) => found.has(key));
    for (const node of around)
      if (!node.dataset.about || node.hidden) node.hidden = !node.querySelector("[data-about]:not([hidden])");
    const isFiltered = wanted.length + chosen.length > 0;
    for (const fold of document.querySelectorAll("main details")) {
      if (isFiltered && fold.was === undefined) fold.was = fold.open;
      fold.open = isFiltered || (fold.was ?? fold.open);
      if (!isFiltered) delete fold.was;
    }
    form.classList.toggle("chosen", isFiltered);
    const all = only?.matches(":target") ? [...words.keys()].filter((key) => yours.has(key)) : [...words.keys()];
    count.value = form.dataset.shown.replace("{shown}", all.filter((key) => found.has(key)).length).replace("{count}", all.length);
  }

  form.addEventListener("input", choose);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(choose));
  addEventListener("hashchange", choose);
  addEventListener("pageshow", choose);
  form.hidden = false;
})();

"use strict";
// The page of a graph: which step it is at, what is open, what lights up. All numbers, texts and pictures were made
// beforehand; nothing is computed or laid out here.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const pictures = new Map(); // number of a view -> its drawing and what is known of it, made when first shown
  let view = data.view;
  let at = 0; // steps done
  let scale = 1;
  let turned = -Infinity; // when something was last opened or folded: the second click of a pair is not for what came up

  // what a view has of its own, or shares with the others
  const nodes = () => data.views[view].nodes ?? data.nodes;
  const steps = () => data.views[view].steps ?? data.steps;
  const forwardSteps = () => data.views[view].forward ?? data.forward;
  const keyOf = (node) => data.views[view].keys[node] ?? null;
  const shown = () => pictures.get(view);
  const element = (node) => shown().items.get(keyOf(node))?.element ?? null;

  function picture(number) {
    if (pictures.has(number)) return pictures.get(number);
    const svg = by(`drawing${number}`).content.firstElementChild.cloneNode(true);
    const items = new Map(); // key -> element, nodes, text of its gradient and what that is in the end
    const edges = new Map();
    for (const each of svg.querySelectorAll(".edge")) edges.set(Number(each.id.slice(1)), each);
    for (const each of svg.querySelectorAll(".node")) {
      const text = each.querySelector("text.grad");
      items.set(Number(each.id.slice(1)), { element: each, members: [], text, final: text?.textContent });
    }
    data.views[number].keys.forEach((key, i) => items.get(key)?.members.push(i));
    const made = { svg, items, edges };
    for (const [key, item] of items) prepare(number, key, item);
    pictures.set(number, made);
    return made;
  }

  function prepare(number, key, { element: node, members }) {
    const [opens, folds] = data.views[number].parts[key] ?? [null, null];
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.addEventListener("pointerenter", () => light(members));
    node.addEventListener("pointerleave", () => light([]));
    node.addEventListener("focus", () => light(members));
    node.addEventListener("blur", () => light([]));
    node.addEventListener("click", () => reveal(members[0]));
    node.addEventListener("dblclick", (event) => { if (event.timeStamp - turned > 500) turnAt(node); });
    if (opens !== null) node.dataset.opens = opens;
    if (folds !== null) node.dataset.folds = folds;
    const handle = node.querySelector("text.times") ?? (opens !== null ? node.querySelector("text.kind") : null);
    if (handle && opens !== null) {
      handle.classList.add("handle");
      handle.addEventListener("click", (event) => { event.stopPropagation(); turnAt(node); });
    }
  }

  // --- the source ---------------------------------------------------------------------------------------------

  const characters = Array.from(data.source); // spans count characters, not UTF-16 units
  let pieces = []; // {start, end, element}

  function drawSource() {
    by("source").replaceChildren();
    pieces = [];
    const cuts = new Set([0, characters.length]);
    for (const { spans } of nodes()) for (const span of spans) span.forEach((offset) => cuts.add(offset));
    characters.forEach((c, i) => { if (c === "\n") cuts.add(i).add(i + 1); });
    const offsets = [...cuts].sort((a, b) => a - b);
    let number = 1;
    let line = newLine(number);
    for (let i = 0; i + 1 < offsets.length; i++) {
      const [start, end] = [offsets[i], offsets[i + 1]];
      const text = characters.slice(start, end).join("");
      if (text === "\n") {
        line.append("\n");
        if (end < characters.length) line = newLine(++number);
        continue;
      }
      const piece = document.createElement("span");
      piece.textContent = text;
      piece.tabIndex = -1;
      line.append(piece);
      pieces.push({ start, end, element: piece });
      const here = innermost(start, end);
      if (here.length) {
        piece.className = "live";
        piece.addEventListener("pointerenter", () => light(here));
        piece.addEventListener("pointerleave", () => light([]));
        piece.addEventListener("click", () => reveal(here[0]));
      }
    }
  }

  function newLine(number) {
    const line = document.createElement("span");
    line.className = "line";
    line.dataset.line = number;
    by("source").append(line);
    return line;
  }

  // the nodes that the smallest span around a piece of text belongs to
  function innermost(start, end) {
    let least = Infinity;
    let found = [];
    nodes().forEach(({ spans }, i) => {
      const span = spans.find((each) => each[0] <= start && each[1] >= end);
      if (!span) return;
      const size = span[1] - span[0];
      if (size < least) { least = size; found = []; }
      if (size === least) found.push(i);
    });
    return found;
  }

  // --- lighting up --------------------------------------------------------------------------------------------

  function light(members) {
    for (const old of document.querySelectorAll(".lit")) old.classList.remove("lit");
    for (const i of members) {
      element(i)?.classList.add("lit");
      nodes()[i].spans.forEach(lightSpan);
    }
    if (!members.length) showStepSpan();
  }

  function lightSpan(span) {
    for (const piece of pieces) {
      if (piece.start >= span[0] && piece.end <= span[1]) piece.element.classList.add("lit");
    }
  }

  function showStepSpan() {
    const step = steps()[at - 1];
    if (!step) return;
    nodes()[step.node].spans.forEach(lightSpan);
    const lit = document.querySelector("#source .lit");
    if (lit) keepInSight(lit, by("source"));
  }

  function keepInSight(child, parent) {
    const [a, b] = [child.getBoundingClientRect(), parent.getBoundingClientRect()];
    if (a.top < b.top || a.bottom > b.bottom) parent.scrollTop += a.top - b.top - b.height / 3;
    if (a.left < b.left || a.right > b.right) parent.scrollLeft += a.left - b.left - b.width / 3;
  }

  // --- steps --------------------------------------------------------------------------------------------------

  function go(to) {
    const count = steps().length;
    at = Math.max(0, Math.min(count, to));
    by("slider").max = count;
    by("slider").value = at;
    by("count").textContent = count ? `${at} of ${count}` : "";
    showPanel();
    showProgress();
    light([]);
    for (const [id, off] of [["first", at === 0], ["back", at === 0], ["next", at === count], ["last", at === count]]) {
      by(id).disabled = off;
    }
    const here = document.querySelector("#graph .node.here");
    if (here) keepInSight(here, by("graph"));
  }

  function showPanel() {
    const step = steps()[at - 1];
    const phases = { forward: "forward: the graph is built", start: "backward", backward: "backward: the chain rule" };
    by("phase").textContent = step ? phases[step.kind]
      : steps().length ? "before the first step; everything is shown" : "";
    by("title").textContent = step ? step.title : "";
    by("what").textContent = step ? step.what : "";
    by("where").textContent = step ? step.where : "";
    by("rows").replaceChildren(...(step ? step.rows : []).map(([head, ...values]) => {
      const row = document.createElement("tr");
      const th = document.createElement("th");
      th.textContent = head;
      row.append(th, ...values.map((value) => {
        const td = document.createElement(head ? "td" : "th");
        td.textContent = value;
        return td;
      }));
      return row;
    }));
  }

  // fade what is not there yet, mark what the step is about, show gradients as far as they are summed up
  function showProgress() {
    const made = new Set();
    const tracked = new Set();
    const sums = new Map();
    const all = steps();
    all.forEach((step, i) => {
      const key = keyOf(step.node);
      if (step.kind === "forward") tracked.add(key);
      if (i >= at) return;
      if (step.kind === "forward") made.add(key);
      else sums.set(key, step.total);
    });
    const going = at > 0;
    const forward = at <= forwardSteps();
    const { items, edges } = shown();
    for (const [key, { element: node, text, final }] of items) {
      node.classList.toggle("later", going && forward && tracked.has(key) && !made.has(key));
      node.classList.remove("here", "sender");
      if (text) text.textContent = !going || at === all.length ? final : sums.has(key) ? `grad ${sums.get(key)}` : "";
    }
    for (const edge of edges.values()) edge.classList.remove("here");
    const step = all[at - 1];
    if (!step) return;
    element(step.node)?.classList.add("here");
    if (step.kind !== "backward") return;
    if (keyOf(step.from) !== keyOf(step.node)) element(step.from)?.classList.add("sender");
    edges.get(data.views[view].edges[at - 1])?.classList.add("here");
  }

  // --- what is open -------------------------------------------------------------------------------------------

  const isOpen = (part) => data.views[view].open.includes(part);

  function show(number) {
    view = number;
    by("graph").replaceChildren(picture(number).svg);
    by("dashed").hidden = !shown().svg.querySelector(".carried");
    by("graph").dataset.open = data.views[number].open.join(" ");
    [...by("parts").children].forEach((button, part) => {
      button.textContent = `${isOpen(part) ? "\u25be" : "\u25b8"} ${data.parts[part]}`;
      button.setAttribute("aria-expanded", isOpen(part));
    });
    resize(scale);
  }

  // the view in which the parts are as wanted, or one that is as near to that as there is, with `sure` as it is wanted
  function nearest(wanted, sure) {
    const apart = ({ open }) => data.parts.filter((_, part) => open.includes(part) !== wanted.includes(part)).length;
    let best = null;
    data.views.forEach((each, number) => {
      if (sure !== null && each.open.includes(sure) !== wanted.includes(sure)) return;
      if (best === null || apart(each) < apart(data.views[best])) best = number;
    });
    return best;
  }

  function turn(part) {
    const open = data.views[view].open;
    change(isOpen(part) ? open.filter((each) => each !== part) : [...open, part], part);
  }

  function turnAll() {
    change(data.views[view].open.length ? [] : data.parts.map((_, part) => part), null);
  }

  function change(wanted, sure) {
    const to = nearest(wanted, sure);
    if (to === null) {
      by("note").textContent = `${data.parts[sure]}: too large to be opened on this page. ${data.note}`;
      return;
    }
    turned = performance.now();
    const shared = !data.views[view].steps;
    const focus = [...shown().items.values()].find((item) => item.element === document.activeElement)?.members[0];
    show(to);
    if (!shared) drawSource();
    go(at);
    if (shared && focus !== undefined) {
      element(focus)?.focus({ preventScroll: true });
      if (element(focus)) keepInSight(element(focus), by("graph"));
    }
  }

  // open what is folded at a node, or else fold what it lies in
  function turnAt(node) {
    const part = node.dataset.opens ?? node.dataset.folds;
    if (part !== undefined) turn(Number(part));
  }

  function foldAt(node) {
    const part = node.dataset.folds ?? node.dataset.opens;
    if (part !== undefined) turn(Number(part));
  }

  // --- controls -----------------------------------------------------------------------------------------------

  function resize(to) {
    scale = Math.max(0.1, Math.min(4, to));
    const svg = shown().svg;
    const box = svg.viewBox.baseVal;
    svg.setAttribute("width", box.width * scale);
    svg.setAttribute("height", box.height * scale);
  }

  function reveal(node) {
    const found = element(node);
    if (found) keepInSight(found, by("graph"));
    const made = steps().findIndex((step) => step.kind === "forward" && step.node === node);
    if (made >= 0) go(made + 1);
  }

  const focused = () => (document.activeElement?.classList.contains("node") ? document.activeElement : null);
  const keys = {
    ArrowRight: () => go(at + 1), ArrowLeft: () => go(at - 1), Home: () => go(0), End: () => go(steps().length),
    b: () => go(forwardSteps() + 1), f: turnAll, "+": () => resize(scale * 1.2), "-": () => resize(scale / 1.2),
    0: () => resize(1),
    o: () => focused() && turnAt(focused()), c: () => focused() && foldAt(focused()),
    Escape: () => { document.activeElement?.blur(); light([]); },
    Enter: () => focused()?.dispatchEvent(new MouseEvent("click")),
  };
  data.parts.slice(0, 9).forEach((_, part) => { keys[part + 1] = () => turn(part); });
  document.addEventListener("keydown", (event) => {
    const action = keys[event.key];
    const button = event.target.tagName === "BUTTON" && event.key === "Enter";
    if (!action || button || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  by("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  for (const [id, key] of [["first", "Home"], ["back", "ArrowLeft"], ["next", "ArrowRight"], ["last", "End"],
    ["turn", "b"], ["fold", "f"], ["in", "+"], ["out", "-"]]) by(id).addEventListener("click", keys[key]);
  data.parts.forEach((words, part) => {
    const button = document.createElement("button");
    button.title = `fold or open: ${words}${part < 9 ? ` (${part + 1})` : ""}`;
    button.addEventListener("click", () => turn(part));
    by("parts").append(button);
  });
  by("fold").hidden = data.parts.length < 2;
  by("name").textContent = data.name;
  by("note").textContent = data.note;

  show(view);
  drawSource();
  by("stepper").hidden = !steps().length;
  by("turn").hidden = !(steps().length > forwardSteps());
  resize(Math.max(0.45, Math.min(1, (by("graph").clientWidth - 20) / shown().svg.viewBox.baseVal.width)));
  go(0);
  const beginning = document.querySelector("#graph .node");
  if (beginning) keepInSight(beginning, by("graph"));
})();

// Shows messages as they arrive, above those that the page came with.
const list = document.querySelector("[data-newest]");
const blank = document.querySelector("#message");

function show(message) {
  const item = blank.content.cloneNode(true);
  item.querySelector(".message").classList.add(message.channel);
  item.querySelector("[data-channel]").textContent = message.channel === "sms" ? "SMS" : "Mail";
  item.querySelector("strong").textContent = message.recipient;
  item.querySelector("time").dateTime = message.sent;
  item.querySelector("time").textContent = `${message.sent.slice(11, 19)} UTC`;
  for (const part of message.text.split(/(https?:\/\/\S+)/)) {
    const link = document.createElement("a");
    link.href = part;
    link.textContent = part;
    item.querySelector(".text").append(/^https?:/.test(part) ? link : part);
  }
  list.prepend(item);
}

async function look() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "application/json" } });
    const { messages } = await answer.json();
    const fresh = messages.filter((message) => message.number > Number(list.dataset.newest)).reverse();
    fresh.forEach(show);
    if (fresh.length) {
      list.dataset.newest = fresh.at(-1).number;
      document.querySelector("#nothing")?.remove();
    }
  } catch {
    // The demo is being started anew; the next look will tell.
  }
  setTimeout(look, 1000);
}

look();

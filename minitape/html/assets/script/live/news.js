// Asks the server for a new page, and loads it when there is one.

const banner = document.createElement("p");
banner.id = "news";
banner.hidden = true;
banner.setAttribute("role", "status");
document.body.prepend(banner);

const announce = (text) => { banner.textContent = text; banner.hidden = !text; };
const moment = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const seen = () => document.hidden ? new Promise((done) => document.addEventListener("visibilitychange", done, { once: true })) : null;

// The server answers when there is a new page, or after a while without one; a hidden page does not ask.
export const follow = async (leave) => {
  const mine = Number(document.documentElement.dataset.live);
  for (let known = -1; ; ) {
    await seen();
    try {
      const answer = await fetch("news?after=" + known, { cache: "no-store" });
      if (!answer.ok) throw answer;
      const news = await answer.json();
      known = news.state;
      announce(news.message);
      if (news.page !== mine) { leave(); location.reload(); return; }
    } catch {
      announce("minitape has stopped; this page is no longer updated.");
      await moment(2000);
    }
  }
};

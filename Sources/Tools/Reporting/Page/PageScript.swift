/// The page is complete without it; it adds a filter.
enum PageScript {
  package static let text = """
    (() => {
      const form = document.querySelector('form.filter');
      if (!form) return;
      const field = form.querySelector('input');
      const count = form.querySelector('output');
      const cards = Array.from(document.querySelectorAll('.card'), (card) => [card, card.textContent.toLowerCase()]);
      let waiting = 0;
      const apply = () => {
        const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
        let shown = 0;
        for (const [card, text] of cards) {
          const fits = words.every((word) => text.includes(word));
          if (card.hidden === fits) card.hidden = !fits;
          if (fits) shown += 1;
        }
        count.textContent = shown + ' of ' + cards.length + ' renditions';
      };
      form.hidden = false;
      form.addEventListener('submit', (event) => event.preventDefault());
      field.addEventListener('input', () => {
        clearTimeout(waiting);
        waiting = setTimeout(apply, 120);
      });
    })();
    """
}

//! The frame of a page.

use std::fmt::Write;

use super::board;
use super::style::{COLOURS, escape};

const STYLE: &str = "\
*{box-sizing:border-box}\
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:62rem;background:var(--page);color:var(--ink);\
font:16px/1.5 system-ui,sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact}\
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2.2rem 0 .4rem}p{margin:.3rem 0 .7rem}\
.soft{color:var(--soft)}figure{margin:0;break-inside:avoid}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums}\
th,td{padding:.2rem .7rem .2rem 0;text-align:left;vertical-align:top}th{font-weight:600}\
td.n,th.n{text-align:right}thead th{border-bottom:1px solid var(--line)}\
code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}.wide{overflow-x:auto}\
svg{display:block;max-width:100%;height:auto}svg.board{width:30rem}\
.row{display:flex;flex-wrap:wrap;gap:1.5rem}.row>*{flex:1 1 20rem}\
svg.chart text{font:12px system-ui,sans-serif;fill:var(--ink)}svg.chart .soft{fill:var(--soft)}\
svg.chart .grid{stroke:var(--faint)}svg.chart .axis{stroke:var(--line)}\
svg.chart .baseline{stroke:var(--soft);stroke-dasharray:4 4}\
svg.chart .expected{stroke:var(--ink);stroke-width:2}\
svg.chart .line{fill:none;stroke-width:2.5;stroke-linejoin:round}svg.chart .interval{stroke-width:3}\
svg.chart .line-3{stroke:var(--yellow-line)}svg.chart .turning{fill:var(--page);stroke:var(--ink);stroke-width:1.5}\
.heat-site{fill:var(--p1);stroke:var(--line)}\
.pf-0{fill:var(--p0)}.pf-1{fill:var(--p1)}.pf-2{fill:var(--p2)}.pf-3{fill:var(--p3)}\
.pl-0{stroke:var(--p0)}.pl-1{stroke:var(--p1)}.pl-2{stroke:var(--p2)}.pl-3{stroke:var(--p3)}";

/// A page that is being written.
pub(super) struct HtmlPage {
    html: String,
}

impl HtmlPage {
    pub fn new(title: &str, subtitle: &str) -> Self {
        let (title, subtitle) = (escape(title), escape(subtitle));
        let html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>{COLOURS}{STYLE}{}</style>\n</head>\n<body>\n\
             <h1>{title}</h1>\n<p class=\"soft\">{subtitle}</p>\n",
            board::STYLE
        );
        Self { html }
    }

    /// Adds a section with this `id`, a heading, a sentence about the figure, and the figure.
    pub fn section(&mut self, id: &str, heading: &str, about: &str, figure: &str) {
        let _ = write!(
            self.html,
            "<section id=\"{id}\">\n<h2>{}</h2>\n<p class=\"soft\">{}</p>\n<figure class=\"wide\">{figure}</figure>\n</section>\n",
            escape(heading),
            escape(about)
        );
    }

    pub fn finish(mut self) -> String {
        self.html += "</body>\n</html>\n";
        self.html
    }
}

/// The text of a table cell, and whether the text is a number.
pub(super) type Cell = (String, bool);

pub(super) fn word(text: impl Into<String>) -> Cell {
    (text.into(), false)
}

pub(super) fn number(text: impl Into<String>) -> Cell {
    (text.into(), true)
}

/// Returns a table; if `header` is empty, it has no header row.
pub(super) fn table(header: &[Cell], rows: &[Vec<Cell>]) -> String {
    let row = |tag: &str, cells: &[Cell]| {
        let cells = cells.iter().map(|(text, is_number)| {
            let class = if *is_number { " class=\"n\"" } else { "" };
            format!("<{tag}{class}>{}</{tag}>", escape(text))
        });
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let head = if header.is_empty() { String::new() } else { format!("<thead>{}</thead>", row("th", header)) };
    let body: String = rows.iter().map(|cells| row("td", cells)).collect();
    format!("<table>{head}<tbody>{body}</tbody></table>")
}

//! A screen as a picture.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

/// The size of a cell.
const CELL: (u32, u32) = (9, 18);

/// A screen as an SVG picture, on a dark background. For the documentation.
#[must_use]
pub fn svg(buffer: &Buffer) -> String {
    let (width, height) = (u32::from(buffer.area.width) * CELL.0, u32::from(buffer.area.height) * CELL.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#111418\"/>\n"
    );
    for y in 0..buffer.area.height {
        let mut x = 0;
        while x < buffer.area.width {
            let cell = &buffer[(x, y)];
            let style = cell.style();
            let mut text = String::new();
            let start = x;
            // Cells of the same style together.
            while x < buffer.area.width && buffer[(x, y)].style() == style {
                text += buffer[(x, y)].symbol();
                x += 1;
            }
            svg += &run(&text, start, y, x - start, cell.modifier, cell.fg, cell.bg);
        }
    }
    svg + "</svg>\n"
}

/// Cells of one style.
fn run(text: &str, x: u16, y: u16, cells: u16, modifier: Modifier, fg: Color, bg: Color) -> String {
    let (left, top) = (u32::from(x) * CELL.0, u32::from(y) * CELL.1);
    let width = u32::from(cells) * CELL.0;
    let mut svg = String::new();
    let (mut front, mut back) = (hex(fg, "#d8dee6"), (bg != Color::Reset).then(|| hex(bg, "#111418")));
    if modifier.contains(Modifier::REVERSED) {
        (front, back) = (back.unwrap_or_else(|| "#111418".to_owned()), Some(front));
    }
    if let Some(back) = back {
        svg += &format!("<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{}\" fill=\"{back}\"/>\n", CELL.1);
    }
    if text.trim().is_empty() {
        return svg;
    }
    let weight = if modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let line = if modifier.contains(Modifier::UNDERLINED) { " text-decoration=\"underline\"" } else { "" };
    let escaped = constructor_common::Foreign::from(text).html();
    svg + &format!(
        "<text x=\"{left}\" y=\"{}\" textLength=\"{width}\" xml:space=\"preserve\" fill=\"{front}\"{weight}{line}>{escaped}</text>\n",
        top + 14
    )
}

/// A colour in hexadecimal digits; `default` for those of a terminal, which are not known.
fn hex(colour: Color, default: &str) -> String {
    match colour {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        Color::Black => "#000000".to_owned(),
        Color::White => "#ffffff".to_owned(),
        _ => default.to_owned(),
    }
}

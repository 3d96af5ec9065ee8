//! Colours and characters. Every meaning of a colour is also shown by a letter, or by bold, underlined or reversed text.

use ratatui::style::{Color, Style};

use crate::board::{Resource, Terrain};
use crate::game::Builder;

/// The number of colours that the terminal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    /// None.
    None,
    /// The 16 colours of the oldest terminals.
    Ansi,
    /// The 256 colours of xterm.
    Indexed,
    /// All 24-bit colours.
    True,
}

/// The look of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// The colours of the terminal.
    pub colours: Colours,
    /// Whether the background of the terminal is light.
    pub is_light: bool,
    /// Whether only ASCII characters are used.
    pub is_ascii: bool,
}

type Rgb = [u8; 3];

/// The colours of the builders: blue, red, orange, yellow. They are based on the palette of Masataka Okabe and Kei Ito, which people with
/// any kind of colour blindness can tell apart, and are changed to stand out from a black or white background.
const BUILDERS_ON_DARK: [Rgb; Builder::COUNT] = [[86, 160, 240], [232, 84, 60], [236, 160, 30], [250, 240, 110]];
const BUILDERS_ON_LIGHT: [Rgb; Builder::COUNT] = [[16, 88, 219], [152, 0, 0], [184, 64, 0], [166, 147, 0]];

const RESOURCES_ON_DARK: [Rgb; Resource::COUNT] =
    [[222, 130, 100], [240, 220, 90], [110, 210, 230], [240, 130, 190], [120, 210, 130]];
const RESOURCES_ON_LIGHT: [Rgb; Resource::COUNT] =
    [[150, 60, 30], [120, 100, 0], [0, 100, 130], [160, 30, 100], [20, 110, 40]];

/// The colours of tiles: those of the resources, but quiet.
const TILES_ON_DARK: [Rgb; Resource::COUNT] =
    [[126, 64, 44], [104, 90, 28], [28, 86, 108], [112, 48, 80], [48, 88, 44]];
const TILES_ON_LIGHT: [Rgb; Resource::COUNT] =
    [[240, 200, 180], [244, 230, 160], [188, 226, 238], [244, 204, 224], [196, 230, 188]];

/// Builders have the light colours on a dark background and the dark ones on a light background; tiles have the others.
const BUILDERS_ANSI: [Color; Builder::COUNT] =
    [Color::LightBlue, Color::LightRed, Color::LightMagenta, Color::LightYellow];
const BUILDERS_ANSI_ON_LIGHT: [Color; Builder::COUNT] = [Color::Blue, Color::Red, Color::Magenta, Color::Yellow];
const RESOURCES_ANSI: [Color; Resource::COUNT] =
    [Color::LightRed, Color::LightYellow, Color::LightCyan, Color::LightMagenta, Color::LightGreen];
const RESOURCES_ANSI_ON_LIGHT: [Color; Resource::COUNT] =
    [Color::Red, Color::Yellow, Color::Cyan, Color::Magenta, Color::Green];

impl Theme {
    /// Returns the nearest colour that the terminal can show. Returns `None` if the terminal has no colours.
    fn colour(self, rgb: Rgb, ansi: Color) -> Option<Color> {
        let [red, green, blue] = rgb;
        match self.colours {
            Colours::None => None,
            Colours::Ansi => Some(ansi),
            Colours::Indexed => Some(Color::Indexed(nearest_index(rgb))),
            Colours::True => Some(Color::Rgb(red, green, blue)),
        }
    }

    fn builder_colour(self, builder: Builder) -> Option<Color> {
        let (rgb, ansi) = self.builder_palette(builder);
        self.colour(rgb, ansi)
    }

    /// Returns a builder's colour where there are at least 256, and where there are 16.
    const fn builder_palette(self, builder: Builder) -> (Rgb, Color) {
        let index = builder.index();
        if self.is_light {
            (BUILDERS_ON_LIGHT[index], BUILDERS_ANSI_ON_LIGHT[index])
        } else {
            (BUILDERS_ON_DARK[index], BUILDERS_ANSI[index])
        }
    }

    /// Returns the style with this foreground colour; an empty style for `None`.
    fn foreground(colour: Option<Color>) -> Style {
        Style { fg: colour, ..Style::new() }
    }

    /// Returns the style of text in a builder's colour.
    #[must_use]
    pub fn builder(self, builder: Builder) -> Style {
        Self::foreground(self.builder_colour(builder)).bold()
    }

    /// Returns the style of a block in a builder's colour; without colours, it is reversed.
    #[must_use]
    pub fn builder_block(self, builder: Builder) -> Style {
        let text = if self.is_light { Color::White } else { Color::Black };
        match self.builder_colour(builder) {
            Some(colour) => Style::new().fg(text).bg(colour).bold(),
            None => Style::new().bold().reversed(),
        }
    }

    /// Returns the colour of a large area of a builder, which is quieter than its text. Returns `None` if the terminal has no colours.
    #[must_use]
    pub fn builder_area(self, builder: Builder) -> Option<Color> {
        let (rgb, ansi) = self.builder_palette(builder);
        self.colour(quiet(rgb, if self.is_light { 255 } else { 0 }), ansi)
    }

    /// Returns the style of text in a resource's colour.
    #[must_use]
    pub fn resource(self, resource: Resource) -> Style {
        let index = resource.index();
        Self::foreground(if self.is_light {
            self.colour(RESOURCES_ON_LIGHT[index], RESOURCES_ANSI_ON_LIGHT[index])
        } else {
            self.colour(RESOURCES_ON_DARK[index], RESOURCES_ANSI[index])
        })
    }

    /// Returns whether the board can be drawn as filled hexagons.
    #[must_use]
    pub fn has_hexagons(self) -> bool {
        self.colours != Colours::None && !self.is_ascii
    }

    /// Returns the colour of a tile. Returns `None` if the terminal has no colours.
    #[must_use]
    pub fn tile(self, terrain: Terrain) -> Option<Color> {
        match terrain.production() {
            Some((resource, _)) => {
                let tiles = if self.is_light { TILES_ON_LIGHT } else { TILES_ON_DARK };
                let ansi = if self.is_light { RESOURCES_ANSI } else { RESOURCES_ANSI_ON_LIGHT };
                self.colour(tiles[resource.index()], ansi[resource.index()])
            }
            None => self.colour(if self.is_light { [222, 222, 218] } else { [52, 54, 58] }, Color::Gray),
        }
    }

    /// Returns the style of text on a tile.
    #[must_use]
    pub fn on_tile(self, terrain: Terrain) -> Style {
        let is_dark = !self.is_light && self.colours != Colours::Ansi;
        let text = if is_dark { [232, 232, 228] } else { [24, 24, 24] };
        Style { bg: self.tile(terrain), ..Self::foreground(self.colour(text, Color::Black)) }
    }

    /// Returns the style of the values 6 and 8 on a tile, which are rolled most.
    #[must_use]
    pub fn hot(self, terrain: Terrain) -> Style {
        let text = if self.is_light { [170, 0, 0] } else { [255, 176, 130] };
        Style { bg: self.tile(terrain), ..Self::foreground(self.colour(text, Color::Black)).bold().underlined() }
    }

    /// Returns the colour of the borders between tiles.
    #[must_use]
    pub fn border(self) -> Option<Color> {
        self.colour(if self.is_light { [150, 150, 146] } else { [16, 18, 20] }, Color::Black)
    }

    /// Returns the style of the geese.
    #[must_use]
    pub fn geese(self) -> Style {
        let [text, ground] = if self.is_light { [[255; 3], [40; 3]] } else { [[20; 3], [235; 3]] };
        let style = Self::foreground(self.colour(text, Color::Black)).bold();
        Style { bg: self.colour(ground, Color::White), ..style }
    }

    /// Returns the style of plain text.
    #[must_use]
    pub const fn text(self) -> Style {
        Style::new()
    }

    /// Returns the style of text that matters less.
    #[must_use]
    pub fn dim(self) -> Style {
        match self.colours {
            Colours::None => Style::new().dim(),
            _ => Self::foreground(
                self.colour([128, 128, 128], if self.is_light { Color::DarkGray } else { Color::Gray }),
            ),
        }
    }

    /// Returns the style of text that matters more.
    #[must_use]
    pub const fn bold(self) -> Style {
        Style::new().bold()
    }

    /// Returns the style of a place where the player can act.
    #[must_use]
    pub fn legal(self) -> Style {
        match self.colour(if self.is_light { [16, 104, 56] } else { [84, 220, 140] }, Color::Black) {
            Some(colour) => Style::new()
                .fg(if self.is_light || colour == Color::Black { Color::White } else { Color::Black })
                .bg(colour),
            None => Style::new().bold().underlined(),
        }
    }

    /// Returns the style of a place where the player can act, without the filled label: many of those would hide the board.
    #[must_use]
    pub fn legal_unfilled(self) -> Style {
        let legal = self.legal();
        legal.bg.map_or(legal, |colour| Style::new().fg(colour).bold())
    }

    /// Returns the style of a place where the player could act with more resources.
    #[must_use]
    pub fn unaffordable(self) -> Style {
        if self.colours == Colours::None { self.dim().underlined() } else { self.dim() }
    }

    /// Returns the style of the place or the choice that Enter takes.
    #[must_use]
    pub fn cursor(self) -> Style {
        match self.colours {
            Colours::None => Style::new().reversed().bold().underlined(),
            _ if self.is_light => Style::new().fg(Color::White).bg(Color::Black).bold(),
            _ => Style::new().fg(Color::Black).bg(Color::White).bold(),
        }
    }

    /// Returns the style of the place of the last action.
    #[must_use]
    pub const fn latest(self) -> Style {
        Style::new().underlined()
    }

    /// Returns the style of a message that something is wrong.
    #[must_use]
    pub fn warning(self) -> Style {
        let colour = if self.is_light { [178, 24, 24] } else { [255, 140, 110] };
        Self::foreground(self.colour(colour, Color::LightRed)).bold()
    }

    /// Returns the style of the name of a key.
    #[must_use]
    pub fn key(self) -> Style {
        let colour = if self.is_light { [0, 90, 130] } else { [120, 210, 230] };
        Self::foreground(self.colour(colour, if self.is_light { Color::Blue } else { Color::LightCyan })).bold()
    }

    /// Returns the style of a mark on the board. It has the background of the terminal, so that it stands out from every tile and block.
    #[must_use]
    pub fn hint(self) -> Style {
        let colour = if self.is_light { [150, 0, 150] } else { [255, 130, 255] };
        Self::foreground(self.colour(colour, Color::LightMagenta)).bold().bg(Color::Reset)
    }

    /// Returns the first character, or the second where only ASCII characters are used.
    #[must_use]
    pub const fn glyph(self, unicode: char, ascii: char) -> char {
        if self.is_ascii { ascii } else { unicode }
    }

    /// Returns the character of a full cell of a bar.
    #[must_use]
    pub const fn full(self) -> char {
        self.glyph('\u{2588}', '#')
    }

    /// Returns the character of one of a tile's pips.
    #[must_use]
    pub const fn pip(self) -> char {
        self.glyph('\u{2022}', '.')
    }

    /// Returns the character of a horizontal line.
    #[must_use]
    pub const fn line(self) -> char {
        self.glyph('\u{2500}', '-')
    }

    /// Returns the character at the end of a text that is cut off.
    #[must_use]
    pub const fn ellipsis(self) -> char {
        self.glyph('\u{2026}', '~')
    }

    /// Returns the character that marks the builder who decides.
    #[must_use]
    pub const fn marker(self) -> char {
        self.glyph('\u{25b6}', '>')
    }
}

/// Returns a colour mixed with a grey background.
fn quiet(rgb: Rgb, background: u8) -> Rgb {
    rgb.map(|part| u8::try_from((5 * u16::from(part) + u16::from(background)) / 6).unwrap_or(background))
}

/// Returns the nearest colour of xterm's cube of 6x6x6, or of its greys.
fn nearest_index(rgb: Rgb) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let distance =
        |other: Rgb| rgb.iter().zip(other).map(|(&one, other)| u32::from(one.abs_diff(other)).pow(2)).sum::<u32>();
    let cube = (0..216_u8).map(|index| {
        let level = |part: u8| LEVELS[usize::from(part % 6)];
        (16 + index, [level(index / 36), level(index / 6), level(index)])
    });
    let greys = (0..24_u8).map(|index| (232 + index, [8 + 10 * index; 3]));
    cube.chain(greys).min_by_key(|&(_, other)| distance(other)).map_or(7, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the linear light of an sRGB colour.
    fn linear(rgb: Rgb) -> [f64; 3] {
        rgb.map(|part| (f64::from(part) / 255.0).powf(2.2))
    }

    /// Returns four colours: the colour as people with protanopia, deuteranopia and tritanopia see it, and the colour itself. The matrices
    /// are from Machado, Oliveira and Fernandes, 2009, for full severity.
    fn seen(rgb: Rgb) -> [[f64; 3]; 4] {
        const MATRICES: [[[f64; 3]; 3]; 4] = [
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        ];
        let light = linear(rgb);
        MATRICES.map(|matrix| matrix.map(|row| row.iter().zip(light).map(|(a, b)| a * b).sum::<f64>().clamp(0.0, 1.0)))
    }

    fn luminance([red, green, blue]: [f64; 3]) -> f64 {
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Returns a colour in CIE L*a*b*, for differences as people see them.
    fn lab([red, green, blue]: [f64; 3]) -> [f64; 3] {
        let x = 0.4124 * red + 0.3576 * green + 0.1805 * blue;
        let y = luminance([red, green, blue]);
        let z = 0.0193 * red + 0.1192 * green + 0.9505 * blue;
        let [x, y, z] = [x / 0.9505, y, z / 1.089]
            .map(|part| if part > 0.008_856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn builders_can_be_told_apart_by_colour_blind_people() {
        let areas = [BUILDERS_ON_DARK.map(|rgb| quiet(rgb, 0)), BUILDERS_ON_LIGHT.map(|rgb| quiet(rgb, 255))];
        for palette in [BUILDERS_ON_DARK, BUILDERS_ON_LIGHT].into_iter().chain(areas) {
            for (number, one) in palette.into_iter().enumerate() {
                for other in palette.into_iter().skip(number + 1) {
                    for (kind, (one_seen, other_seen)) in seen(one).into_iter().zip(seen(other)).enumerate() {
                        let [one_lab, other_lab] = [one_seen, other_seen].map(lab);
                        let squares = one_lab.iter().zip(other_lab).map(|(a, b)| (a - b).powi(2));
                        let difference = squares.sum::<f64>().sqrt();
                        assert!(difference > 15.0, "{one:?} and {other:?}: {difference:.1} for kind {kind}");
                    }
                }
            }
        }
    }

    #[test]
    fn colours_stand_out_from_the_background() {
        // Text in a builder's colour is always bold.
        for (colours, background, least) in [
            (&BUILDERS_ON_DARK[..], 0.0, 4.0),
            (&BUILDERS_ON_LIGHT[..], 1.0, 3.0),
            (&RESOURCES_ON_DARK[..], 0.0, 4.0),
            (&RESOURCES_ON_LIGHT[..], 1.0, 4.0),
        ] {
            for &colour in colours {
                let own = luminance(linear(colour));
                let contrast = (own.max(background) + 0.05) / (own.min(background) + 0.05);
                assert!(contrast > least, "{colour:?}: {contrast:.1}");
            }
        }
    }

    #[test]
    fn nearest_index_finds_cube_and_greys() {
        for (rgb, index) in [([0, 0, 0], 16), ([255, 255, 255], 231), ([255, 0, 0], 196), ([128, 128, 128], 244)] {
            assert_eq!(nearest_index(rgb), index, "{rgb:?}");
        }
    }

    #[test]
    fn without_colours_there_are_none() {
        let theme = Theme { colours: Colours::None, is_light: false, is_ascii: true };
        let styles = Builder::ALL.map(|builder| [theme.builder(builder), theme.builder_block(builder)]).concat();
        let others = [theme.dim(), theme.legal(), theme.cursor(), theme.unaffordable(), theme.warning(), theme.key()];
        for style in styles.into_iter().chain(others) {
            assert_eq!((style.fg, style.bg), (None, None));
            assert!(!style.add_modifier.is_empty());
        }
        assert!([theme.full(), theme.pip(), theme.line(), theme.marker()].iter().all(char::is_ascii));
    }
}

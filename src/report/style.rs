//! The colours of pages and pictures, and the escaping of text in them.

use constructor_common::Foreign;

/// The colours of light and dark pages, and the classes of builders and players. The builders' colours also differ in lightness, so that
/// they can be told apart by people who do not see colours; besides, every piece has a letter. The players in a chart are drawn in colours
/// from the palette of Masataka Okabe and Kei Ito ("Color universal design", 2008).
pub(super) const COLOURS: &str = "\
:root,svg{--page:#fff;--ink:#1b1b1b;--soft:#555;--line:#8c8c8c;--faint:#e4e4e4;--hot:#96180f;\
--blue:#2a6fd6;--red:#b3261e;--orange:#e08a00;--yellow:#f2d43a;--yellow-line:#a58a00;--on-dark:#fff;\
--brick:#e8b7a2;--energy:#f5e6a3;--glass:#bfe0e6;--heat:#f3c58e;--wifi:#cfc3e8;--park:#c5e0bd;\
--p0:#0072b2;--p1:#d55e00;--p2:#009e73;--p3:#a3528a}\
@media (prefers-color-scheme:dark){:root,svg{--page:#16181c;--ink:#ececec;--soft:#b4b4b4;--line:#6d7178;--faint:#2c2f35;\
--hot:#ffb0a4;--blue:#6aa5f7;--red:#ef6a55;--orange:#f2a33c;--yellow:#f7e26b;--yellow-line:#f7e26b;--on-dark:#000;\
--brick:#64362a;--energy:#5b501b;--glass:#27525c;--heat:#68471b;--wifi:#483d6d;--park:#2f5229;\
--p0:#56b4e9;--p1:#f0883e;--p2:#2fc79a;--p3:#dd9bc6}}\
@media print{:root,svg{--page:#fff;--ink:#000;--soft:#333;--line:#777;--faint:#ddd;--hot:#96180f;--on-dark:#fff;\
--blue:#2a6fd6;--red:#b3261e;--orange:#e08a00;--yellow:#f2d43a;--yellow-line:#a58a00;\
--brick:#e8b7a2;--energy:#f5e6a3;--glass:#bfe0e6;--heat:#f3c58e;--wifi:#cfc3e8;--park:#c5e0bd;\
--p0:#0072b2;--p1:#d55e00;--p2:#009e73;--p3:#a3528a}}\
.fill-0{fill:var(--blue)}.fill-1{fill:var(--red)}.fill-2{fill:var(--orange)}.fill-3{fill:var(--yellow)}\
.line-0{stroke:var(--blue)}.line-1{stroke:var(--red)}.line-2{stroke:var(--orange)}.line-3{stroke:var(--yellow)}";

/// Escapes text for HTML or SVG, also as the value of an attribute.
pub(super) fn escape(text: &str) -> String {
    Foreign::from(text).html()
}

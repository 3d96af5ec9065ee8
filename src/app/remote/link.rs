//! Links to a table.

/// A link: the address of a table, and the token of a seat or of those who watch.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    /// The host with its port, as the header `Host` names it.
    pub host: String,
    /// The beginning of the table's paths.
    pub base: String,
    /// The token, if there is one.
    pub token: Option<String>,
}

/// Without the token, which is a secret.
impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link").field("host", &self.host).finish_non_exhaustive()
    }
}

impl Link {
    /// Parses a link.
    ///
    /// ```
    /// use constructor::app::remote::Link;
    /// let link = Link::parse(" http://127.0.0.1:4000/#0123 ").unwrap();
    /// assert_eq!((link.address().as_str(), link.token.as_deref()), ("127.0.0.1:4000", Some("0123")));
    /// assert!(Link::parse("https://table.example/#0123").unwrap_err().contains("browser"));
    /// ```
    ///
    /// # Errors
    /// Why it is no link that this program can use.
    pub fn parse(text: &str) -> Result<Self, String> {
        const EXPECTED: &str = "expected the link of a table, such as http://127.0.0.1:4000/#0123456789abcdef";
        let text = text.trim();
        if text.starts_with("https://") {
            return Err("a link with https needs a browser, or a tunnel: see docs/serve.md".to_owned());
        }
        let rest = text.strip_prefix("http://").ok_or(EXPECTED)?;
        let (place, token) = rest.split_once('#').map_or((rest, None), |(place, token)| (place, Some(token)));
        let (host, path) = place.split_once('/').unwrap_or((place, ""));
        let is_plain = |part: &str| part.chars().all(|letter| letter.is_ascii_graphic());
        let is_token = |token: &str| token.len() <= 128 && token.chars().all(|letter| letter.is_ascii_alphanumeric());
        if host.is_empty() || !is_plain(host) || !is_plain(path) || !token.is_none_or(is_token) {
            return Err(EXPECTED.to_owned());
        }
        let base = match path.trim_end_matches('/') {
            "" => String::new(),
            path => format!("/{path}"),
        };
        Ok(Self { host: host.to_owned(), base, token: token.filter(|token| !token.is_empty()).map(str::to_owned) })
    }

    /// Returns the address to connect to, with a port.
    #[must_use]
    pub fn address(&self) -> String {
        let has_port = self.host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        if has_port { self.host.clone() } else { format!("{}:80", self.host) }
    }
}

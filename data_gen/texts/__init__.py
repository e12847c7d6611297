"""Words: grammars, names and number formats in English and Chinese. Data and its expansion, no policy."""

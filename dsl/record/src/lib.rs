//! TableGen evaluation: syntax trees to records.
